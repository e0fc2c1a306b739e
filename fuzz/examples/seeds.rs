//! Writes the seeds of each target to fuzz/corpus/NAME, where `cargo fuzz run` looks for them.

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    for (target, seeds) in gordian_fuzz::seeds() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:03}")), seed)?;
        }
        println!("{target}: {} seeds", seeds.len());
    }
    Ok(())
}
