use super::*;
use crate::Field;

fn solution(n: u128, powers: &[BigUint]) -> Solution {
    let field = Field::from(powers.to_vec());
    Solution::new().with("n", Field::from(BigUint::from(n))).with("powers", field)
}

fn passing(mode: Mode, max_n: Option<u128>) -> Vec<u128> {
    let puzzle = Powers::new(&[3, 4], 10, mode, max_n.map(BigUint::from)).unwrap();
    let powers = |n: u128| [BigUint::from(n.pow(3)), BigUint::from(n.pow(4))];
    (0..181).filter(|&n| puzzle.check(&solution(n, &powers(n))).is_ok()).collect()
}

#[test]
fn the_published_numbers_are_the_only_ones() {
    assert_eq!(passing(Mode::Exactly, None), [18]);
    assert_eq!(passing(Mode::AtLeast, None), [18, 84, 108, 112, 128, 139, 156, 169, 174, 180]);
    assert_eq!(passing(Mode::AtLeast, Some(100)), [18, 84]);
}

#[test]
fn wrong_powers_are_refused() {
    let puzzle = Powers::new(&[3, 4], 10, Mode::Exactly, None).unwrap();
    let [cube, fourth] = [BigUint::from(5832_u32), BigUint::from(104_976_u32)];
    assert!(puzzle.check(&solution(18, &[cube.clone(), fourth.clone()])).is_ok());
    assert!(puzzle.check(&solution(18, &[cube.clone(), fourth + 1_u32])).is_err());
    assert!(puzzle.check(&solution(18, &[cube])).is_err());
}

#[test]
fn exponents_and_bases_have_bounds() {
    let refused = |exponents: &[i128], base| {
        let invalid = Powers::new(exponents, base, Mode::Exactly, None).unwrap_err();
        (invalid.name, invalid.index)
    };
    assert_eq!(refused(&[], 10), ("exponents", None));
    assert_eq!(refused(&[1; 65], 10), ("exponents", None));
    assert_eq!(refused(&[3, 0], 10), ("exponents", Some(1)));
    assert_eq!(refused(&[3], 26), ("base", None));
}
