//! The size of a board, which follows from the numbers of its rows and tokens.

use super::block;
use crate::format::{InputError, Source, Span, Spanned, counted, pzpr::MOST_SQUARES, quote};
use crate::puzzle::Options;
use crate::rules::sheet::{DataBlock, Scheme, Sheet, SheetBoard, Size};

/// The name of the option that states the size of a board.
pub(super) const OPTION: &str = "size";

/// A size that the user states, with its place.
#[derive(Debug)]
pub(super) struct StatedSize {
    pub size: Size,
    source: Source,
    span: Span,
}

impl StatedSize {
    /// Reads `ROWSxCOLUMNS`.
    pub(super) fn read(source: &Source, text: &Spanned<String>) -> Result<Self, InputError> {
        let number =
            |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let size =
            text.value.split_once('x').and_then(|(rows, columns)| Some((number(rows)?, number(columns)?)));
        let size = size.and_then(|(rows, columns)| checked(rows, columns));
        let size = size.ok_or_else(|| InputError::at(source, text, format!("{SIZES}, such as `10x8`")))?;
        Ok(Self { size, source: source.clone(), span: text.span })
    }

    /// Returns the size that the options state.
    pub(super) fn of_options(options: &Options) -> Result<Option<Self>, InputError> {
        options.get(OPTION).map(|(source, value)| Self::read(source, value)).transpose()
    }

    /// Checks that a board has this size.
    pub(super) fn check(&self, found: Size) -> Result<(), InputError> {
        if self.size == found {
            return Ok(());
        }
        let expected = format!("{}, the size of the board", written(found));
        Err(InputError::new(&self.source, self.span, expected, quote(&written(self.size))))
    }
}

const SIZES: &str = "the numbers of rows and columns, at most 1000000 cells";

/// Returns a size as the option states it.
pub(super) fn written(size: Size) -> String {
    format!("{}x{}", size.rows, size.columns)
}

/// Returns a size if a board can have it.
pub(super) fn checked(rows: usize, columns: usize) -> Option<Size> {
    // The corners are numbered from 0 to the number of rows.
    let side = |side: usize| u16::try_from(side).ok().filter(|&side| side > 0 && side < u16::MAX);
    let size = Size { rows: side(rows)?, columns: side(columns)? };
    (rows * columns <= MOST_SQUARES).then_some(size)
}

/// What the length of a row depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    /// The number of columns plus a constant.
    Columns(usize),
    /// The number of columns minus 1.
    Gaps,
    /// The number of rows.
    Rows,
    /// Nothing: at least one token.
    Any,
}

/// Rows of the same kind: a number of rows, which depends on the size, and their length.
type Part = (fn(usize, usize) -> usize, Length);

/// Returns the parts of a block.
fn parts(scheme: Scheme) -> &'static [Part] {
    match scheme {
        Scheme::Grid | Scheme::Areas | Scheme::Sums | Scheme::Chains => {
            &[(|rows, _| rows, Length::Columns(0))]
        }
        Scheme::Corners => &[(|rows, _| rows + 1, Length::Columns(1))],
        // A row without tokens is no row.
        Scheme::Links => &[
            (|rows, columns| if columns > 1 { rows } else { 0 }, Length::Gaps),
            (|rows, _| rows.saturating_sub(1), Length::Columns(0)),
        ],
        Scheme::Columns => &[(|_, _| 1, Length::Columns(0))],
        Scheme::Rows => &[(|_, _| 1, Length::Rows)],
        Scheme::ColumnLists => &[(|_, columns| columns, Length::Any)],
        Scheme::RowLists => &[(|rows, _| rows, Length::Any)],
        Scheme::Views => &[(|_, _| 2, Length::Columns(0)), (|_, _| 2, Length::Rows)],
        Scheme::Number | Scheme::Option => &[],
    }
}

/// Returns whether the size of a board follows from the numbers of tokens in the rows of its blocks.
pub(super) fn follows(board: &SheetBoard, lengths: &[usize], counts: Option<&[usize]>) -> bool {
    let source = Source::new("", "");
    let rows: Vec<SourceRow> =
        lengths.iter().map(|&tokens| SourceRow { tokens, span: source.start() }).collect();
    let present = block::present(board);
    let blocks = Blocks { sheet: board.sheet(), source: &source, present: &present, rows: &rows, counts };
    blocks.size(None).is_ok_and(|size| size == board.size())
}

/// Returns the number of rows that a block has on a board.
pub(super) fn rows_of(scheme: Scheme, size: Size) -> usize {
    rows_for(scheme, size.rows.into(), size.columns.into())
}

fn rows_for(scheme: Scheme, rows: usize, columns: usize) -> usize {
    parts(scheme).iter().map(|(count, _)| count(rows, columns)).sum()
}

/// A row of the source: the number of its tokens, and its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceRow {
    pub tokens: usize,
    pub span: Span,
}

/// The rows of a board's blocks. In the native text, blocks that are not optional follow each other without separators.
#[derive(Debug)]
pub(super) struct Blocks<'a> {
    pub sheet: &'a Sheet,
    pub source: &'a Source,
    /// The blocks that the board has, in the order of the source.
    pub present: &'a [&'a DataBlock],
    pub rows: &'a [SourceRow],
    /// The number of rows of each block, if the source separates the blocks.
    pub counts: Option<&'a [usize]>,
}

impl Blocks<'_> {
    /// Returns the size of the board, which is `stated` or follows from the rows.
    pub(super) fn size(&self, stated: Option<&StatedSize>) -> Result<Size, InputError> {
        if let Some(stated) = stated {
            self.check(stated.size)?;
            return Ok(stated.size);
        }
        let candidates = self.candidates();
        let mut fits = candidates.iter().filter(|size| self.check(**size).is_ok());
        let help = "state it, as in `size=10x8`, on the first line or after `--option`";
        match (fits.next(), fits.next(), candidates.first()) {
            (Some(&size), None, _) => Ok(size),
            (Some(&first), Some(&second), _) => {
                let found = format!("rows that fit {} and {}", written(first), written(second));
                Err(InputError::new(self.source, self.source.end(), "the size of the board", found)
                    .with_help(help))
            }
            (None, _, Some(&size)) => Err(self.check(size).expect_err("no candidate fits")),
            (None, _, None)
                if self.rows.is_empty() && self.sheet.blocks.iter().any(|b| !parts(b.scheme).is_empty()) =>
            {
                let end = self.source.end();
                Err(InputError::new(self.source, end, "a row of the board", "the end of the file"))
            }
            (None, _, None) => {
                let found = "no rows that determine it";
                Err(InputError::new(self.source, self.source.end(), SIZES, found).with_help(help))
            }
        }
    }

    fn schemes(&self) -> impl Iterator<Item = Scheme> {
        self.present.iter().map(|block| block.scheme)
    }

    fn total(&self, rows: usize, columns: usize) -> usize {
        self.schemes().map(|scheme| rows_for(scheme, rows, columns)).sum()
    }

    /// Returns the sizes for which the number of rows is right, or nearly right if no other size is possible.
    fn candidates(&self) -> Vec<Size> {
        // Boards with one row or column can lack rows of a block.
        let (per_row, per_column) =
            (self.total(3, 2) - self.total(2, 2), self.total(2, 3) - self.total(2, 2));
        let free = (self.rows.len() + 2 * (per_row + per_column)).saturating_sub(self.total(2, 2));
        let sizes: Vec<(usize, usize)> = match (self.counts, per_row, per_column) {
            (Some(counts), ..) => self.seen(counts).into_iter().collect(),
            (None, _, 0) => {
                let rows = free.checked_div(per_row).unwrap_or(0);
                self.seen(&self.split(rows, 2)).into_iter().collect()
            }
            (None, 0, _) => self.seen(&self.split(0, free / per_column)).into_iter().collect(),
            (None, ..) => {
                let columns = |rows: usize| free.checked_sub(per_row * rows).map(|rest| rest / per_column);
                let fits = |&(rows, columns): &(usize, usize)| self.total(rows, columns) == self.rows.len();
                (1..=free).map_while(|rows| Some((rows, columns(rows)?))).filter(fits).collect()
            }
        };
        sizes.into_iter().filter_map(|(rows, columns)| checked(rows, columns)).collect()
    }

    /// Returns the number of rows of each block.
    fn split(&self, rows: usize, columns: usize) -> Vec<usize> {
        self.schemes().map(|scheme| rows_for(scheme, rows, columns)).collect()
    }

    /// Returns the numbers of rows and columns that follow from the rows of the blocks.
    fn seen(&self, counts: &[usize]) -> Option<(usize, usize)> {
        let (mut rows, mut columns) = (None, None);
        let mut start = 0;
        for (scheme, &count) in self.schemes().zip(counts) {
            let has = |rows, columns| rows_for(scheme, rows, columns) - rows_for(scheme, 0, 0);
            let varying = count.checked_sub(rows_for(scheme, 0, 0));
            if scheme == Scheme::Links {
                rows = rows.or(Some(count.div_ceil(2)));
            } else if has(1, 0) > 0 {
                rows = rows.or(varying);
            }
            if has(0, 1) > 0 {
                columns = columns.or(varying);
            }
            let mut at = start;
            for (part, length) in parts(scheme) {
                let tokens = self.rows.get(at).map(|row| row.tokens);
                match length {
                    Length::Columns(more) => {
                        columns = columns.or(tokens.and_then(|tokens| tokens.checked_sub(*more)));
                    }
                    Length::Gaps => columns = columns.or(tokens.map(|tokens| tokens + 1)),
                    Length::Rows => rows = rows.or(tokens),
                    Length::Any => {}
                }
                at += part(0, 0);
            }
            start += count;
        }
        Some((rows?, columns?))
    }

    /// Checks that the rows have the right number and lengths for a size.
    fn check(&self, size: Size) -> Result<(), InputError> {
        let (rows, columns) = (usize::from(size.rows), usize::from(size.columns));
        let mut found = self.rows.iter();
        for (index, block) in self.present.iter().enumerate() {
            let names: Vec<_> =
                block.fields.iter().map(|&field| quote(&self.sheet.data[field].name)).collect();
            let names = names.join(" and ");
            let expected = rows_of(block.scheme, size);
            if let Some(&count) = self.counts.and_then(|counts| counts.get(index))
                && count != expected
            {
                let span = found.next().map_or(self.source.end(), |row| row.span);
                let expected = format!("{} for {names}", counted(expected, "row"));
                return Err(InputError::new(self.source, span, expected, counted(count, "row")));
            }
            let lengths = parts(block.scheme).iter();
            let lengths =
                lengths.flat_map(|(count, length)| std::iter::repeat_n(length, count(rows, columns)));
            for (number, length) in (1..).zip(lengths) {
                let Some(row) = found.next() else { return Err(self.wrong_count(size)) };
                let (tokens, why) = match length {
                    Length::Columns(0) => (columns, "one for each column"),
                    Length::Columns(more) => (columns + more, "one for each corner"),
                    Length::Gaps => (columns - 1, "one for each pair of neighbours"),
                    Length::Rows => (rows, "one for each row"),
                    Length::Any => continue,
                };
                if row.tokens != tokens {
                    let expected = format!("{}, {why}, in row {number} of {names}", counted(tokens, "token"));
                    return Err(InputError::new(
                        self.source,
                        row.span,
                        expected,
                        counted(row.tokens, "token"),
                    ));
                }
            }
        }
        if found.next().is_some() { Err(self.wrong_count(size)) } else { Ok(()) }
    }

    fn wrong_count(&self, size: Size) -> InputError {
        let total: usize = self.schemes().map(|scheme| rows_of(scheme, size)).sum();
        let blocks = self.present.iter().filter(|block| rows_of(block.scheme, size) > 0);
        let blocks: Vec<String> = blocks
            .map(|block| {
                let names: Vec<_> =
                    block.fields.iter().map(|&field| quote(&self.sheet.data[field].name)).collect();
                format!("{} for {}", rows_of(block.scheme, size), names.join(" and "))
            })
            .collect();
        let detail = if blocks.len() > 1 { format!(", {}", blocks.join(", ")) } else { String::new() };
        let span = self.rows.get(total).map_or(self.source.end(), |row| row.span);
        let expected =
            format!("{} on a board of {} x {} cells{detail}", counted(total, "row"), size.rows, size.columns);
        InputError::new(self.source, span, expected, counted(self.rows.len(), "row"))
    }
}
