//! `/files/…`: uploads of programs, and the files of rows.

use rocket::http::Method::{Get, Post};

use super::{Form, Route, Run};
use crate::{
    def::{EntityDef, FieldIx},
    field,
    web::files as handlers,
};

pub(crate) fn routes(entity: &'static EntityDef) -> Vec<Route> {
    let fields = (0..).zip(entity.fields).filter(|(_, field)| field::is_file(field) && !field.secret);
    fields.flat_map(|(at, field)| [upload_route(entity, at, field.name), download_route(entity, at, field.name)]).collect()
}

fn upload_route(entity: &'static EntityDef, at: FieldIx, name: &str) -> Route {
    let path = format!("/files/{}/{name}", entity.table);
    let run = Run::Steps(|state, call| handlers::store_upload(state, call));
    let route = Route::new(Post, path, "Upload a file for a row", run);
    Route { entity: Some(entity), field: Some(at), form: Form::Json, strict_query: true, files: true, ..route }
}

fn download_route(entity: &'static EntityDef, at: FieldIx, name: &str) -> Route {
    let path = format!("/files/{}/{{id}}/{name}", entity.table);
    let run = Run::Steps(|state, call| handlers::download(state, call));
    let route = Route::new(Get, path, "Read the file of a row", run);
    Route { entity: Some(entity), field: Some(at), form: Form::File, strict_query: true, ..route }
}
