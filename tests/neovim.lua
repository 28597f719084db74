-- Neovim with the configuration of docs/editors.md: findings, the syntax tree, and the block in a Rust file.
--
--   nvim --headless app.dsl -c "luafile neovim.lua"
local function check(condition, what)
  if not condition then
    io.stderr:write("Neovim: " .. what .. "\n")
    vim.cmd("cquit 1")
  end
end

local buffer = vim.api.nvim_get_current_buf()
check(vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 50), "no findings in app.dsl")
local found = vim.tbl_map(function(it) return it.code end, vim.diagnostic.get(buffer))
check(vim.tbl_contains(found, "unknown-type"), "the finding is missing: " .. table.concat(found, " "))
check(vim.lsp.get_clients({ bufnr = buffer })[1].name == "dz", "another server")
check(vim.treesitter.highlighter.active[buffer] ~= nil, "no highlights")
local tree = vim.treesitter.get_parser(buffer, "dz"):parse()[1]:root()
check(not tree:has_error(), "the tree has errors")
local kinds = {}
local query = vim.treesitter.query.get("dz", "highlights")
for id in query:iter_captures(tree, buffer) do kinds[query.captures[id]] = true end
for _, kind in ipairs({ "keyword", "type", "type.builtin", "property", "string", "comment", "function", "constant.builtin" }) do
  check(kinds[kind], "nothing is highlighted as " .. kind)
end
check(vim.fn.foldlevel(vim.fn.search("permit:") + 1) > 0, "no folds")

vim.cmd("edit main.rs")
buffer = vim.api.nvim_get_current_buf()
check(vim.wait(60000, function() return #vim.lsp.get_clients({ bufnr = buffer, name = "dz" }) > 0 end, 50), "no server for main.rs")
check(vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 50), "no findings in main.rs")
if #vim.api.nvim_get_runtime_file("parser/rust.so", true) > 0 then
  local parser = vim.treesitter.get_parser(buffer, "rust")
  parser:parse(true)
  local block = parser:children().dz
  check(block, "no tree of the block in main.rs")
  check(not block:trees()[1]:root():has_error(), "the tree of the block has errors")
end
vim.cmd("qall!")
