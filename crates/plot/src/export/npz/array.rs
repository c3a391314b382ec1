//! Arrays in NumPy's format, version 1.0 (<https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>).

/// An array in C order with its shape.
pub(super) struct NpyArray {
    shape: Vec<usize>,
    numbers: NpyNumbers,
}

enum NpyNumbers {
    /// Array of type `<f8`.
    Doubles(Vec<f64>),
    /// Array of type `<U…`.
    Texts(Vec<String>),
}

impl NpyArray {
    /// Numbers in rows; the first length of the shape is the number of rows, `row` has the other lengths.
    pub(super) fn rows(row: &[usize], numbers: Vec<f64>, rows: usize) -> Self {
        debug_assert_eq!(numbers.len(), rows * row.iter().product::<usize>());
        let shape = std::iter::once(rows).chain(row.iter().copied()).collect();
        NpyArray { shape, numbers: NpyNumbers::Doubles(numbers) }
    }

    /// Strings, in order.
    pub(super) fn texts(texts: Vec<String>) -> Self {
        NpyArray { shape: vec![texts.len()], numbers: NpyNumbers::Texts(texts) }
    }

    /// The file: magic, length of the header, header, numbers. The numbers begin at a multiple of 64 bytes.
    pub(super) fn file(&self) -> Vec<u8> {
        let widest =
            |texts: &[String]| texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        let kind = match &self.numbers {
            NpyNumbers::Doubles(_) => "<f8".to_string(),
            NpyNumbers::Texts(texts) => format!("<U{}", widest(texts)),
        };
        let shape: String = self.shape.iter().map(|length| format!("{length}, ")).collect();
        let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
        const FIXED: usize = 10;
        let length = (FIXED + header.len() + 1).next_multiple_of(64) - FIXED;
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((length as u16).to_le_bytes());
        bytes.extend(format!("{header:width$}\n", width = length - 1).bytes());
        match &self.numbers {
            NpyNumbers::Doubles(numbers) => {
                bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()))
            }
            NpyNumbers::Texts(texts) => {
                let width = widest(texts);
                for text in texts {
                    let padded = text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
                    bytes.extend(padded.flat_map(u32::to_le_bytes));
                }
            }
        }
        bytes
    }
}
