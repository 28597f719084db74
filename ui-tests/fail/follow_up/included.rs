//! Written by `tests/follow_up.rs`.

mod modifier_misspelt {
    dz::include_dsl!("modifier_misspelt.dsl");
    include!("beside.txt");
}

mod type_misspelt {
    dz::include_dsl!("type_misspelt.dsl");
    include!("beside.txt");
}

mod type_of_elsewhere {
    dz::include_dsl!("type_of_elsewhere.dsl");
    include!("beside.txt");
}

mod type_unknown {
    dz::include_dsl!("type_unknown.dsl");
    include!("beside.txt");
}

mod type_missing {
    dz::include_dsl!("type_missing.dsl");
    include!("beside.txt");
}

mod entity_misspelt {
    dz::include_dsl!("entity_misspelt.dsl");
    include!("beside.txt");
}

mod entity_unknown {
    dz::include_dsl!("entity_unknown.dsl");
    include!("beside.txt");
}

mod role_misspelt {
    dz::include_dsl!("role_misspelt.dsl");
    include!("beside.txt");
}

mod field_unknown {
    dz::include_dsl!("field_unknown.dsl");
    include!("beside.txt");
}

mod value_misspelt {
    dz::include_dsl!("value_misspelt.dsl");
    include!("beside.txt");
}

mod state_unknown {
    dz::include_dsl!("state_unknown.dsl");
    include!("beside.txt");
}

mod colon_missing {
    dz::include_dsl!("colon_missing.dsl");
    include!("beside.txt");
}

mod key_missing {
    dz::include_dsl!("key_missing.dsl");
    include!("beside.txt");
}

mod construct_misspelt {
    dz::include_dsl!("construct_misspelt.dsl");
    include!("beside.txt");
}

mod block_misspelt {
    dz::include_dsl!("block_misspelt.dsl");
    include!("beside.txt");
}

mod word_missing {
    dz::include_dsl!("word_missing.dsl");
    include!("beside.txt");
}

mod field_of_a_page_unknown {
    dz::include_dsl!("field_of_a_page_unknown.dsl");
    include!("beside.txt");
}

mod quote_missing {
    dz::include_dsl!("quote_missing.dsl");
    include!("beside.txt");
}

mod bracket_missing {
    dz::include_dsl!("bracket_missing.dsl");
    include!("beside.txt");
}

mod field_twice {
    dz::include_dsl!("field_twice.dsl");
    include!("beside.txt");
}

mod entity_twice {
    dz::include_dsl!("entity_twice.dsl");
    include!("beside.txt");
}

mod no_way_back {
    dz::include_dsl!("no_way_back.dsl");
    include!("beside.txt");
}

mod sign_of_elsewhere {
    dz::include_dsl!("sign_of_elsewhere.dsl");
    include!("beside.txt");
}

mod line_too_far_left {
    dz::include_dsl!("line_too_far_left.dsl");
    include!("beside.txt");
}

mod block_empty {
    dz::include_dsl!("block_empty.dsl");
    include!("beside.txt");
}

fn main() {}
