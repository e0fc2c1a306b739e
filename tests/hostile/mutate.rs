//! Mutates inputs in ways that often reveal parser bugs: changes to bytes, parts and keywords, and numbers at the
//! limits of a type.

use fastrand::Rng;
use gordian::puzzle::PUZZLES;

/// The maximum length of an input in bytes.
const LONGEST: usize = 16 << 10;

/// Keywords of the formats, and unusual bytes.
const WORDS: &[&[u8]] = &[
    b"cells=all",
    b"clues=size-serial",
    b"letting ",
    b" be ",
    b"language ESSENCE' 1.0\n",
    b"int(1..",
    b"array1d(1..2,",
    b"array2d(1..2, 1..2, [",
    b"true",
    b"false",
    b"null",
    b"[",
    b"]",
    b"[|",
    b"|]",
    b"{",
    b"}",
    b"(",
    b")",
    b"..",
    b",",
    b";",
    b"|",
    b"\"",
    b"\\u",
    b"\\ud800\\udc00",
    b"=",
    b":",
    b"%",
    b"$",
    b"//",
    b"/*",
    b"*/",
    b"#",
    b"?",
    b".",
    b"-",
    b"+",
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\t",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xc3",
    b"\xe2\x80\xae",
    b"\x1b[31m",
    b"\xf0\x9f\x98\x80",
    b"https://puzz.link/p?",
    b"nurikabe/",
    b"numlin/",
    b"lightup/",
    b"%25",
    b"%2f",
    b"zzz",
    b"p cnf ",
    b"p wcnf ",
    b"p knf ",
    b"k 2 ",
    b"c p show ",
    b"* #variable= ",
    b"min: ",
    b"soft: ",
    b"[3] ",
    b" >= ",
    b"~x1 ",
    b"h ",
    b"c ",
    b"v ",
    b"o ",
    b"s SATISFIABLE\n",
    b"s OPTIMUM FOUND\n",
    b"UNSAT",
    b"x1",
    b"~",
    b" 0\n",
    b"\"solution\": ",
    b"\"grid\": [[",
    b"number = ",
    b"path = ",
    b"exponents = ",
    b"base = ",
    b"digits = ",
    b"max_n = ",
    b"mode = \"at-least\"",
    b"sum = ",
    b"schema = ",
    b"weights = ",
    b"var ",
    b"var int: x;",
    b"array [1..",
    b"] of var int: ",
    b":: ",
    b"output_array([",
    b"constraint ",
    b"set of ",
    b" union ",
    b"solve satisfy;",
    b"\"constraints\": ",
    b"\"set\": [[",
    b"<instance format=\"XCSP3\" type=\"CSP\">",
    b"<list>",
    b"</list>",
    b"/>",
    b"<condition> (in,",
    b"size=\"[",
    b"startIndex=\"",
    b"class=\"",
    b"as=\"",
    b"%...",
    b"&amp;",
    b"x[]",
    b"eq(",
];

const NUMBERS: &[&[u8]] = &[
    b"0",
    b"1",
    b"-1",
    b"2",
    b"9",
    b"10",
    b"63",
    b"64",
    b"65",
    b"255",
    b"256",
    b"999",
    b"1000",
    b"1001",
    b"65535",
    b"65536",
    b"999999",
    b"1000000",
    b"1000001",
    b"2147483647",
    b"-2147483648",
    b"4000000000",
    b"4294967295",
    b"4294967296",
    b"9007199254740993",
    b"9223372036854775807",
    b"-9223372036854775808",
    b"18446744073709551615",
    b"18446744073709551616",
    b"100000000000000000000000000000",
    b"170141183460469231731687303715884105727",
    b"-170141183460469231731687303715884105728",
    b"170141183460469231731687303715884105728",
    b"1e9",
    b"1.5",
    b"00",
    b"+5",
    b"0x10",
];

/// Returns one of the seeds after one or more mutations.
pub(super) fn mutated(seeds: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let mut input = choose(seeds, random).clone();
    for _ in 0..1 << random.u32(0..5) {
        change(&mut input, seeds, random);
        input.truncate(LONGEST);
    }
    input
}

fn choose<'a, T>(items: &'a [T], random: &mut Rng) -> &'a T {
    &items[random.usize(..items.len())]
}

/// Returns one of [`WORDS`] or the name of a puzzle type.
fn word(random: &mut Rng) -> &'static [u8] {
    let number = random.usize(..WORDS.len() + PUZZLES.len());
    WORDS.get(number).copied().unwrap_or_else(|| PUZZLES[number - WORDS.len()].name.as_bytes())
}

fn change(input: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Rng) {
    let at = random.usize(..=input.len());
    let length = 1 << random.u32(0..8);
    let end = (at + 1 + random.usize(..length)).min(input.len());
    match random.u32(0..11) {
        0 if at < input.len() => input[at] ^= 1 << random.u32(0..8),
        1 if at < input.len() => input[at] = random.u8(..),
        2 => drop(input.drain(at..end)),
        // A part of the input is repeated once or many times.
        3 => {
            let piece = input[at..end].repeat(1 << random.u32(0..9));
            splice(input, at..at, &piece[..piece.len().min(LONGEST)]);
        }
        4 => splice(input, at..at, word(random)),
        5 => splice(input, at..end, word(random)),
        6 => splice(input, at..at, choose::<&[u8]>(NUMBERS, random)),
        // A number in the input is replaced.
        7 | 8 => {
            let Some(start) = input[at..].iter().position(u8::is_ascii_digit).map(|skipped| at + skipped)
            else {
                return;
            };
            let digits = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            splice(input, start..start + digits, choose::<&[u8]>(NUMBERS, random));
        }
        9 => {
            let other = choose(seeds, random);
            let from = random.usize(..=other.len());
            splice(input, at..end, &other[from..(from + random.usize(..200)).min(other.len())]);
        }
        // The rest of the input is replaced with the end of another seed.
        _ => {
            let other = choose(seeds, random);
            splice(input, at..input.len(), &other[random.usize(..=other.len())..]);
        }
    }
}

fn splice(input: &mut Vec<u8>, range: std::ops::Range<usize>, by: &[u8]) {
    input.splice(range, by.iter().copied()).for_each(drop);
}
