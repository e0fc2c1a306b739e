#![no_main]

gordian_fuzz::target!();
