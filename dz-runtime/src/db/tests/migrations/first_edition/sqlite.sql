-- safe: makes the table `practices`
-- safe: makes the table `people`
-- safe: makes the table `memberships`
-- safe: makes the table `parts`
-- safe: makes the table `settings`
-- safe: makes the table `dz_outbox`
-- safe: makes the table `dz_dead_letters`
-- safe: makes the table `dz_held`
-- safe: makes the table `dz_meta`
-- safe: makes the table `dz_roles`
-- safe: makes the table `dz_sessions`
-- safe: makes the table `dz_tokens`
-- safe: makes the table `dz_identities`
-- safe: makes the table `dz_factors`
-- safe: makes the table `dz_recovery_codes`
-- safe: makes the table `dz_second_steps`
-- safe: makes the table `dz_devices`
-- safe: makes the table `dz_spent`
-- safe: makes the table `dz_idempotency`
-- safe: makes the table `dz_files`
-- safe: makes the table `dz_audit_log`
-- safe: makes the table `dz_audit_horizon`
-- safe: makes the table `dz_invitations`

PRAGMA foreign_keys=OFF;
BEGIN IMMEDIATE;
CREATE TABLE "practices" (
  "id" BLOB NOT NULL PRIMARY KEY CONSTRAINT "practices(id) check" CHECK (length("id") = 16),
  "name" TEXT NOT NULL CONSTRAINT "practices(name) check" CHECK (length("name") <= 40),
  "dz_version" INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE "people" (
  "id" BLOB NOT NULL PRIMARY KEY CONSTRAINT "people(id) check" CHECK (length("id") = 16),
  "name" TEXT NOT NULL CONSTRAINT "people(name) check" CHECK (length("name") <= 60),
  "email" TEXT NOT NULL CONSTRAINT "people(email) check" CHECK (length("email") <= 254),
  "password_hash" TEXT CONSTRAINT "people(password_hash) check" CHECK (length("password_hash") <= 255),
  "email_verified" INTEGER NOT NULL CONSTRAINT "people(email_verified) check" CHECK ("email_verified" IN (0, 1)),
  "email_verify_token" TEXT CONSTRAINT "people(email_verify_token) check" CHECK (length("email_verify_token") <= 100),
  "password_reset_token" TEXT CONSTRAINT "people(password_reset_token) check" CHECK (length("password_reset_token") <= 100),
  "password_reset_expires" TEXT,
  "is_active" INTEGER NOT NULL CONSTRAINT "people(is_active) check" CHECK ("is_active" IN (0, 1)),
  "last_login" TEXT,
  "auth_provider" TEXT NOT NULL CONSTRAINT "people(auth_provider) check" CHECK ("auth_provider" IN ('local', 'google', 'microsoft', 'github')),
  "auth_provider_id" TEXT CONSTRAINT "people(auth_provider_id) check" CHECK (length("auth_provider_id") <= 255),
  "created_at" TEXT NOT NULL,
  "dz_version" INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE "memberships" (
  "id" BLOB NOT NULL PRIMARY KEY CONSTRAINT "memberships(id) check" CHECK (length("id") = 16),
  "user" BLOB NOT NULL CONSTRAINT "memberships(user) check" CHECK (length("user") = 16),
  "personas" TEXT NOT NULL CONSTRAINT "memberships(personas) check" CHECK ("personas" IS NULL OR json_valid("personas")),
  "is_primary" INTEGER NOT NULL CONSTRAINT "memberships(is_primary) check" CHECK ("is_primary" IN (0, 1)),
  "invited_by" BLOB CONSTRAINT "memberships(invited_by) check" CHECK (length("invited_by") = 16),
  "invited_at" TEXT NOT NULL,
  "accepted_at" TEXT,
  "practice" BLOB NOT NULL CONSTRAINT "memberships(practice) check" CHECK (length("practice") = 16),
  "dz_version" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "memberships(invited_by) reference" FOREIGN KEY ("invited_by") REFERENCES "people" ("id") ON DELETE RESTRICT,
  CONSTRAINT "memberships(practice) reference" FOREIGN KEY ("practice") REFERENCES "practices" ("id") ON DELETE RESTRICT,
  CONSTRAINT "memberships(user) reference" FOREIGN KEY ("user") REFERENCES "people" ("id") ON DELETE RESTRICT
) STRICT;
CREATE TABLE "parts" (
  "id" BLOB NOT NULL PRIMARY KEY CONSTRAINT "parts(id) check" CHECK (length("id") = 16),
  "title" TEXT NOT NULL CONSTRAINT "parts(title) check" CHECK (length("title") <= 40),
  "code" TEXT CONSTRAINT "parts(code) check" CHECK (length("code") <= 12),
  "state" TEXT NOT NULL CONSTRAINT "parts(state) check" CHECK ("state" IN ('new', 'used', 'gone')),
  "keeper" BLOB CONSTRAINT "parts(keeper) check" CHECK (length("keeper") = 16),
  "successor" BLOB CONSTRAINT "parts(successor) check" CHECK (length("successor") = 16),
  "notes" TEXT CONSTRAINT "parts(notes) check" CHECK ("notes" IS NULL OR json_valid("notes")),
  "extra" TEXT NOT NULL CONSTRAINT "parts(extra) check" CHECK ("extra" IS NULL OR json_valid("extra")),
  "price" INTEGER,
  "price_currency" TEXT CONSTRAINT "parts(price_currency) check" CHECK (length("price_currency") <= 3),
  "weight" INTEGER,
  "checked" INTEGER NOT NULL CONSTRAINT "parts(checked) check" CHECK ("checked" IN (0, 1)),
  "bought" TEXT,
  "created_at" TEXT NOT NULL,
  "a_field_with_a_name_that_is_longer_than_any_name_that_postgresql_keeps" TEXT CONSTRAINT "parts 8d0ed5edd885" CHECK ("a_field_with_a_name_that_is_longer_than_any_name_that_postgresql_keeps" IN ('yes', 'no')),
  "practice" BLOB NOT NULL CONSTRAINT "parts(practice) check" CHECK (length("practice") = 16),
  "dz_version" INTEGER NOT NULL DEFAULT 1,
  "dz_state_since" TEXT NOT NULL,
  "deleted_at" TEXT,
  CONSTRAINT "parts invariant 983fae5d" CHECK (("bought" IS NULL OR ("state" IS NOT 'new'))),
  CONSTRAINT "parts invariant c76957c3" CHECK (COALESCE("weight" > 0, 0)),
  CONSTRAINT "parts(price, price_currency) check" CHECK (("price" IS NULL) = ("price_currency" IS NULL)),
  CONSTRAINT "parts(keeper) reference" FOREIGN KEY ("keeper") REFERENCES "people" ("id") ON DELETE RESTRICT,
  CONSTRAINT "parts(practice) reference" FOREIGN KEY ("practice") REFERENCES "practices" ("id") ON DELETE RESTRICT,
  CONSTRAINT "parts(successor) reference" FOREIGN KEY ("practice", "successor") REFERENCES "parts" ("practice", "id") ON DELETE RESTRICT
) STRICT;
CREATE TABLE "settings" (
  "id" BLOB NOT NULL PRIMARY KEY CONSTRAINT "settings(id) check" CHECK (length("id") = 16),
  "greeting" TEXT CONSTRAINT "settings(greeting) check" CHECK (length("greeting") <= 80),
  "practice" BLOB NOT NULL CONSTRAINT "settings(practice) check" CHECK (length("practice") = 16),
  "dz_version" INTEGER NOT NULL DEFAULT 1,
  CONSTRAINT "settings(practice) reference" FOREIGN KEY ("practice") REFERENCES "practices" ("id") ON DELETE RESTRICT
) STRICT;
CREATE TABLE "dz_outbox" (
  "seq" INTEGER NOT NULL PRIMARY KEY,
  "id" BLOB NOT NULL CONSTRAINT "dz_outbox(id) check" CHECK (length("id") = 16),
  "subscriber" TEXT NOT NULL,
  "event" TEXT NOT NULL,
  "entity" TEXT NOT NULL,
  "row_id" TEXT NOT NULL,
  "payload" TEXT NOT NULL,
  "attempts" INTEGER NOT NULL,
  "created_at" TEXT NOT NULL,
  "retry_at" TEXT NOT NULL,
  "error" TEXT NOT NULL
) STRICT;
CREATE TABLE "dz_dead_letters" (
  "id" BLOB NOT NULL CONSTRAINT "dz_dead_letters(id) check" CHECK (length("id") = 16),
  "subscriber" TEXT NOT NULL,
  "event" TEXT NOT NULL,
  "entity" TEXT NOT NULL,
  "row_id" TEXT NOT NULL,
  "payload" TEXT NOT NULL,
  "attempts" INTEGER NOT NULL,
  "created_at" TEXT NOT NULL,
  "died_at" TEXT NOT NULL,
  "error" TEXT NOT NULL,
  PRIMARY KEY ("id", "subscriber")
) STRICT;
CREATE TABLE "dz_held" (
  "entity" TEXT NOT NULL,
  "row_id" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "since" TEXT NOT NULL,
  "attempts" INTEGER NOT NULL,
  "retry_at" TEXT NOT NULL,
  PRIMARY KEY ("entity", "row_id", "state")
) STRICT;
CREATE TABLE "dz_meta" (
  "key" TEXT NOT NULL PRIMARY KEY,
  "value" TEXT NOT NULL
) STRICT;
CREATE TABLE "dz_roles" (
  "account" BLOB NOT NULL CONSTRAINT "dz_roles(account) check" CHECK (length("account") = 16),
  "role" TEXT NOT NULL,
  PRIMARY KEY ("account", "role"),
  CONSTRAINT "dz_roles(account) reference" FOREIGN KEY ("account") REFERENCES "people" ("id") ON DELETE CASCADE
) STRICT;
CREATE TABLE "dz_sessions" (
  "token_hash" TEXT NOT NULL PRIMARY KEY,
  "id" BLOB NOT NULL CONSTRAINT "dz_sessions(id) check" CHECK (length("id") = 16),
  "account" BLOB NOT NULL CONSTRAINT "dz_sessions(account) check" CHECK (length("account") = 16),
  "tenant" BLOB CONSTRAINT "dz_sessions(tenant) check" CHECK (length("tenant") = 16),
  "device" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "seen_at" TEXT NOT NULL,
  "expires_at" TEXT NOT NULL,
  CONSTRAINT "dz_sessions(account) reference" FOREIGN KEY ("account") REFERENCES "people" ("id") ON DELETE CASCADE
) STRICT;
CREATE TABLE "dz_tokens" (
  "token_hash" TEXT NOT NULL PRIMARY KEY,
  "id" BLOB NOT NULL CONSTRAINT "dz_tokens(id) check" CHECK (length("id") = 16),
  "account" BLOB NOT NULL CONSTRAINT "dz_tokens(account) check" CHECK (length("account") = 16),
  "tenant" BLOB CONSTRAINT "dz_tokens(tenant) check" CHECK (length("tenant") = 16),
  "scope" TEXT NOT NULL,
  "roles" TEXT,
  "created_at" TEXT NOT NULL,
  "seen_at" TEXT NOT NULL,
  "expires_at" TEXT NOT NULL,
  CONSTRAINT "dz_tokens(account) reference" FOREIGN KEY ("account") REFERENCES "people" ("id") ON DELETE CASCADE
) STRICT;
CREATE TABLE "dz_identities" (
  "issuer" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "account" BLOB NOT NULL CONSTRAINT "dz_identities(account) check" CHECK (length("account") = 16),
  "created_at" TEXT NOT NULL,
  PRIMARY KEY ("issuer", "subject"),
  CONSTRAINT "dz_identities(account) reference" FOREIGN KEY ("account") REFERENCES "people" ("id") ON DELETE CASCADE
) STRICT;
CREATE TABLE "dz_factors" (
  "secret" TEXT NOT NULL,
  "account" BLOB NOT NULL PRIMARY KEY CONSTRAINT "dz_factors(account) check" CHECK (length("account") = 16),
  "confirmed_at" TEXT,
  "last_step" INTEGER NOT NULL,
  "created_at" TEXT NOT NULL,
  CONSTRAINT "dz_factors(account) reference" FOREIGN KEY ("account") REFERENCES "people" ("id") ON DELETE CASCADE
) STRICT;
CREATE TABLE "dz_recovery_codes" (
  "code_hash" TEXT NOT NULL,
  "account" BLOB NOT NULL CONSTRAINT "dz_recovery_codes(account) check" CHECK (length("account") = 16),
  PRIMARY KEY ("account", "code_hash"),
  CONSTRAINT "dz_recovery_codes(account) reference" FOREIGN KEY ("account") REFERENCES "people" ("id") ON DELETE CASCADE
) STRICT;
CREATE TABLE "dz_second_steps" (
  "token_hash" TEXT NOT NULL PRIMARY KEY,
  "account" BLOB NOT NULL CONSTRAINT "dz_second_steps(account) check" CHECK (length("account") = 16),
  "next_page" TEXT NOT NULL,
  "expires_at" TEXT NOT NULL,
  CONSTRAINT "dz_second_steps(account) reference" FOREIGN KEY ("account") REFERENCES "people" ("id") ON DELETE CASCADE
) STRICT;
CREATE TABLE "dz_devices" (
  "device_hash" TEXT NOT NULL,
  "account" BLOB NOT NULL CONSTRAINT "dz_devices(account) check" CHECK (length("account") = 16),
  "seen_at" TEXT NOT NULL,
  PRIMARY KEY ("account", "device_hash"),
  CONSTRAINT "dz_devices(account) reference" FOREIGN KEY ("account") REFERENCES "people" ("id") ON DELETE CASCADE
) STRICT;
CREATE TABLE "dz_spent" (
  "hash" TEXT NOT NULL PRIMARY KEY,
  "expires_at" TEXT NOT NULL
) STRICT;
CREATE TABLE "dz_idempotency" (
  "scope" TEXT NOT NULL PRIMARY KEY,
  "body" TEXT NOT NULL,
  "status" INTEGER NOT NULL,
  "row_key" TEXT NOT NULL,
  "answer" TEXT NOT NULL,
  "expires_at" TEXT NOT NULL
) STRICT;
CREATE TABLE "dz_files" (
  "id" BLOB NOT NULL PRIMARY KEY CONSTRAINT "dz_files(id) check" CHECK (length("id") = 16),
  "stored" TEXT NOT NULL,
  "tenant" BLOB CONSTRAINT "dz_files(tenant) check" CHECK (length("tenant") = 16),
  "entity" TEXT NOT NULL,
  "field" TEXT NOT NULL,
  "account" BLOB CONSTRAINT "dz_files(account) check" CHECK (length("account") = 16),
  "name" TEXT NOT NULL,
  "size" INTEGER NOT NULL,
  "type" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "since" TEXT NOT NULL
) STRICT;
CREATE TABLE "dz_audit_log" (
  "id" BLOB NOT NULL PRIMARY KEY CONSTRAINT "dz_audit_log(id) check" CHECK (length("id") = 16),
  "at" TEXT NOT NULL,
  "account" BLOB CONSTRAINT "dz_audit_log(account) check" CHECK (length("account") = 16),
  "action" TEXT NOT NULL,
  "entity" TEXT NOT NULL,
  "row_id" TEXT,
  "decision" TEXT NOT NULL,
  "rule" TEXT NOT NULL,
  "changes" TEXT CONSTRAINT "dz_audit_log(changes) check" CHECK ("changes" IS NULL OR json_valid("changes")),
  "times" INTEGER NOT NULL,
  "request_id" TEXT NOT NULL,
  "tenant" BLOB CONSTRAINT "dz_audit_log(tenant) check" CHECK (length("tenant") = 16)
) STRICT;
CREATE TABLE "dz_audit_horizon" (
  "kept_from" TEXT NOT NULL PRIMARY KEY
) STRICT;
CREATE TABLE "dz_invitations" (
  "id" BLOB NOT NULL PRIMARY KEY CONSTRAINT "dz_invitations(id) check" CHECK (length("id") = 16),
  "token_hash" TEXT NOT NULL,
  "tenant" BLOB NOT NULL CONSTRAINT "dz_invitations(tenant) check" CHECK (length("tenant") = 16),
  "email" TEXT NOT NULL,
  "personas" TEXT NOT NULL CONSTRAINT "dz_invitations(personas) check" CHECK ("personas" IS NULL OR json_valid("personas")),
  "invited_at" TEXT NOT NULL,
  "expires_at" TEXT NOT NULL,
  "invited_by" BLOB CONSTRAINT "dz_invitations(invited_by) check" CHECK (length("invited_by") = 16),
  CONSTRAINT "dz_invitations(invited_by) reference" FOREIGN KEY ("invited_by") REFERENCES "people" ("id") ON DELETE CASCADE,
  CONSTRAINT "dz_invitations(tenant) reference" FOREIGN KEY ("tenant") REFERENCES "practices" ("id") ON DELETE CASCADE
) STRICT;
CREATE INDEX "practices[name text, id]" ON "practices" ("name" COLLATE NOCASE, "name", "id");
CREATE UNIQUE INDEX "people(email)" ON "people" ("email");
CREATE INDEX "people[email text, id]" ON "people" ("email" COLLATE NOCASE, "email", "id");
CREATE INDEX "people[email_verify_token, email text, id]" ON "people" ("email_verify_token", "email" COLLATE NOCASE, "email", "id");
CREATE INDEX "people[password_reset_token, email text, id]" ON "people" ("password_reset_token", "email" COLLATE NOCASE, "email", "id");
CREATE UNIQUE INDEX "memberships(practice, user)" ON "memberships" ("practice", "user");
CREATE INDEX "memberships[practice, invited_at list desc, id]" ON "memberships" ("practice", "invited_at" DESC, "id");
CREATE INDEX "memberships[practice, invited_by]" ON "memberships" ("practice", "invited_by");
CREATE INDEX "memberships[practice]" ON "memberships" ("practice");
CREATE INDEX "memberships[user]" ON "memberships" ("user");
CREATE UNIQUE INDEX "parts(practice, code) 462b782d" ON "parts" ("practice", "code") WHERE "deleted_at" IS NULL AND "state" IN ('new', 'used');
CREATE UNIQUE INDEX "parts(practice, id)" ON "parts" ("practice", "id");
CREATE UNIQUE INDEX "parts(practice, keeper, bought) d79540ae" ON "parts" ("practice", "keeper", "bought") WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "parts(practice, title) d79540ae" ON "parts" ("practice", "title") WHERE "deleted_at" IS NULL;
CREATE INDEX "parts[dz_state_since] 956f90d5" ON "parts" ("dz_state_since") WHERE "state" = 'used';
CREATE INDEX "parts[practice, bought desc, code]" ON "parts" ("practice", "bought" DESC, "code");
CREATE INDEX "parts[practice, keeper, created_at list desc, id]" ON "parts" ("practice", "keeper", "created_at" DESC, "id");
CREATE INDEX "parts[practice, successor]" ON "parts" ("practice", "successor");
CREATE INDEX "parts[practice]" ON "parts" ("practice");
CREATE UNIQUE INDEX "settings(practice)" ON "settings" ("practice");
CREATE INDEX "dz_outbox[retry_at]" ON "dz_outbox" ("retry_at");
CREATE INDEX "dz_outbox[subscriber, entity, row_id, seq]" ON "dz_outbox" ("subscriber", "entity", "row_id", "seq");
CREATE INDEX "dz_sessions[account]" ON "dz_sessions" ("account");
CREATE INDEX "dz_tokens[account]" ON "dz_tokens" ("account");
CREATE INDEX "dz_identities[account]" ON "dz_identities" ("account");
CREATE INDEX "dz_second_steps[account]" ON "dz_second_steps" ("account");
CREATE INDEX "dz_idempotency[expires_at]" ON "dz_idempotency" ("expires_at");
CREATE UNIQUE INDEX "dz_files(stored)" ON "dz_files" ("stored");
CREATE INDEX "dz_files[account, state]" ON "dz_files" ("account", "state");
CREATE INDEX "dz_files[state, since]" ON "dz_files" ("state", "since");
CREATE INDEX "dz_audit_log[at]" ON "dz_audit_log" ("at");
CREATE INDEX "dz_audit_log[entity, row_id]" ON "dz_audit_log" ("entity", "row_id");
CREATE INDEX "dz_audit_log[tenant, id]" ON "dz_audit_log" ("tenant", "id");
CREATE TRIGGER "dz_audit_log unchanged" BEFORE UPDATE ON "dz_audit_log" BEGIN SELECT RAISE(ABORT, 'records of the audit log do not change'); END;
CREATE TRIGGER "dz_audit_log kept" BEFORE DELETE ON "dz_audit_log" WHEN NOT EXISTS (SELECT 1 FROM "dz_audit_horizon" WHERE OLD."at" < "kept_from") BEGIN SELECT RAISE(ABORT, 'records of the audit log are kept'); END;
CREATE UNIQUE INDEX "dz_invitations(tenant, email)" ON "dz_invitations" ("tenant", "email");
CREATE UNIQUE INDEX "dz_invitations(token_hash)" ON "dz_invitations" ("token_hash");
CREATE INDEX "dz_invitations[invited_by]" ON "dz_invitations" ("invited_by");
INSERT INTO dz_meta (key, value) VALUES ('schema', '9c2fd3ed114d481fbabecd9bf2e63e14') ON CONFLICT (key) DO UPDATE SET value = excluded.value;
CREATE TEMP TABLE dz_dangling (rows INTEGER CHECK (rows = 0));
INSERT INTO dz_dangling SELECT count(*) FROM pragma_foreign_key_check;
DROP TABLE dz_dangling;
PRAGMA foreign_key_check;
COMMIT;
PRAGMA foreign_keys=ON;
