//! A validator for the subset of JSON Schema that the schemas in `docs/` use. The validator rejects unknown keywords
//! instead of ignoring them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The schemas in `docs/`, by file name.
pub(crate) struct Schemas(pub(crate) BTreeMap<String, Value>);

impl Schemas {
    /// Reads all schemas.
    pub(crate) fn read() -> Self {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let mut schemas = BTreeMap::new();
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
            if name.ends_with(".schema.json") {
                let text = fs::read_to_string(&path).expect("a schema");
                let schema = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
                schemas.insert(name, schema);
            }
        }
        Self(schemas)
    }

    /// Validates a value against the schema with the given name.
    ///
    /// # Errors
    /// Returns an error if the value is invalid. The message contains the position and the reason.
    pub(crate) fn validate(&self, name: &str, value: &Value) -> Result<(), String> {
        let root = &self.0[&format!("{name}.schema.json")];
        at(self, root, root, value, "")
    }
}

fn at(all: &Schemas, root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let broken = |rule: &str| Err(format!("{path}: {value} is not {rule}"));
    for (word, rule) in schema.as_object().expect("a schema is an object") {
        match word.as_str() {
            "$ref" => {
                let (file, place) =
                    rule.as_str().and_then(|target| target.split_once('#')).expect("a place in a schema");
                let root = if file.is_empty() { root } else { &all.0[file] };
                let definition = root.pointer(place).unwrap_or_else(|| panic!("no definition {rule}"));
                at(all, root, definition, value, path)?;
            }
            "type" => {
                let fits = match rule.as_str().expect("a type") {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    "number" => value.is_number(),
                    "integer" => value.is_i64() || value.is_u64(),
                    other => panic!("the type {other}"),
                };
                if !fits {
                    return broken(&rule.to_string());
                }
            }
            "enum" if !list(rule).contains(value) => return broken(&format!("one of {rule}")),
            "anyOf" if !list(rule).iter().any(|one| at(all, root, one, value, path).is_ok()) => {
                return broken(&format!("any of {rule}"));
            }
            "minimum" if value.as_f64() < rule.as_f64() => return broken(&format!("at least {rule}")),
            "minItems" if value.as_array().is_some_and(|items| (items.len() as u64) < number(rule)) => {
                return broken(&format!("of at least {rule} items"));
            }
            "maxItems" if value.as_array().is_some_and(|items| items.len() as u64 > number(rule)) => {
                return broken(&format!("of at most {rule} items"));
            }
            // These keywords are annotations, or constraints that were checked above.
            "enum" | "anyOf" | "minimum" | "minItems" | "maxItems" | "$schema" | "$defs" | "title" => {}
            "pattern" => {
                let text = value.as_str().unwrap_or_default();
                let digits = match rule.as_str() {
                    Some("^-?[0-9]+$") => text.strip_prefix('-').unwrap_or(text),
                    Some("^[0-9]+$") => text,
                    _ => panic!("no other pattern is known here: {rule}"),
                };
                if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    return broken("a number in decimal digits");
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    at(all, root, rule, item, &format!("{path}/{index}"))?;
                }
            }
            "required" => {
                for name in list(rule) {
                    if value.get(name.as_str().expect("a name")).is_none() {
                        return broken(&format!("complete: no {name}"));
                    }
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().expect("properties") {
                    if let Some(value) = value.get(name) {
                        at(all, root, rule, value, &format!("{path}/{name}"))?;
                    }
                }
            }
            "additionalProperties" => {
                let known =
                    |name: &String| schema.get("properties").is_some_and(|names| names.get(name).is_some());
                for (name, value) in value.as_object().into_iter().flatten().filter(|(name, _)| !known(name))
                {
                    match rule {
                        Value::Bool(false) => return broken(&format!("known here: {name}")),
                        rule => at(all, root, rule, value, &format!("{path}/{name}"))?,
                    }
                }
            }
            other => panic!("the word {other}"),
        }
    }
    Ok(())
}

fn list(rule: &Value) -> &Vec<Value> {
    rule.as_array().expect("a list")
}

fn number(rule: &Value) -> u64 {
    rule.as_u64().expect("a number")
}
