//! JSON Schema, as far as the schemas in `docs/` use it. A word that is not known here is an error, so that none is
//! passed over.

use serde_json::Value;

/// Whether a value is as a schema says.
///
/// # Errors
/// Where it is not, and why.
pub(crate) fn validate(schema: &Value, value: &Value) -> Result<(), String> {
    at(schema, schema, value, "")
}

fn at(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let broken = |rule: &str| Err(format!("{path}: {value} is not {rule}"));
    for (word, rule) in schema.as_object().expect("a schema is an object") {
        match word.as_str() {
            "$schema" | "$defs" | "title" => {}
            "$ref" => {
                let name =
                    rule.as_str().and_then(|target| target.strip_prefix("#")).expect("a place in the schema");
                at(root, root.pointer(name).expect("a definition"), value, path)?;
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
            "anyOf" if !list(rule).iter().any(|one| at(root, one, value, path).is_ok()) => {
                return broken(&format!("any of {rule}"));
            }
            "minimum" if value.as_f64() < rule.as_f64() => return broken(&format!("at least {rule}")),
            "minItems" if value.as_array().is_some_and(|items| (items.len() as u64) < number(rule)) => {
                return broken(&format!("of at least {rule} items"));
            }
            "maxItems" if value.as_array().is_some_and(|items| items.len() as u64 > number(rule)) => {
                return broken(&format!("of at most {rule} items"));
            }
            "enum" | "anyOf" | "minimum" | "minItems" | "maxItems" => {}
            "pattern" => {
                assert_eq!(rule, "^-?[0-9]+$", "no other pattern is known here");
                let text = value.as_str().unwrap_or_default();
                let digits = text.strip_prefix('-').unwrap_or(text);
                if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    return broken("a number in decimal digits");
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    at(root, rule, item, &format!("{path}/{index}"))?;
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
                        at(root, rule, value, &format!("{path}/{name}"))?;
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
                        rule => at(root, rule, value, &format!("{path}/{name}"))?,
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
