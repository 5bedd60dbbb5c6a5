//! The writer of files (FORMAT.md, sections 1 to 3). It writes the body in pieces, which need little memory.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use serde::Serialize;

use super::bits::{MAX_WIDTH, append, width_of};
use super::codec::encode_header;
use super::packed::{ENTRY, PADDING};
use super::prefix::{BLOCK_LEN, Content, PREFIX_LEN, Prefix};

/// The output of a writer: a [`File`] open for reading and writing, or a vector in a [`Cursor`].
///
/// The file begins at position 0. The writer writes the prefix last, and rereads the rest for the digest.
pub trait Sink: Read + Write + Seek {
    /// Reserves space for a file of this length. Called once, before the first write.
    fn reserve(&mut self, bytes: u64) -> io::Result<()>;
}

impl Sink for File {
    /// Does nothing, since a file grows as it is written.
    fn reserve(&mut self, _: u64) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Cursor<Vec<u8>> {
    fn reserve(&mut self, bytes: u64) -> io::Result<()> {
        let bytes = usize::try_from(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(self.get_mut().try_reserve_exact(bytes)?)
    }
}

/// Writes a file into memory.
pub fn in_memory<T, E>(write: impl FnOnce(&mut dyn Sink) -> Result<T, E>) -> Result<Vec<u8>, E> {
    let mut sink = Cursor::new(Vec::new());
    write(&mut sink)?;
    Ok(sink.into_inner())
}

/// Length and digest of a finished file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Length of the file in bytes.
    pub bytes: u64,
    /// The digest, which identifies the file.
    pub digest: [u8; 32],
}

/// The form of an array: the number of records, and the width in bits of each of their fields.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    records: u64,
    widths: [u8; 8],
}

impl Shape {
    /// Returns the narrowest form for these records.
    pub fn of<const F: usize>(records: impl IntoIterator<Item = [u64; F]>) -> io::Result<Self> {
        let mut count = 0;
        let mut used = [0; F];
        for record in records {
            count += 1;
            used.iter_mut().zip(record).for_each(|(used, value)| *used |= value);
        }
        let mut widths = [0; 8];
        for (width, used) in widths.iter_mut().zip(used) {
            if width_of(used) > MAX_WIDTH {
                let error =
                    format!("a field of {} bits is needed, at most {MAX_WIDTH} are allowed", width_of(used));
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
            }
            *width = width_of(used) as u8;
        }
        Ok(Self::new(count, widths))
    }

    /// Returns the form of a number of bits, taken as records of one bit.
    pub fn of_single_bits(bits: u64) -> Self {
        Self::new(bits, [1, 0, 0, 0, 0, 0, 0, 0])
    }

    fn new(records: u64, mut widths: [u8; 8]) -> Self {
        // A record has at least one bit; the entry of an array without records is all zero.
        if records == 0 {
            widths = [0; 8];
        } else if widths == [0; 8] {
            widths[0] = 1;
        }
        Self { records, widths }
    }

    /// Returns the length of the array in words, rounded up.
    fn words(&self) -> u64 {
        let bits: u64 = self.widths.iter().copied().map(u64::from).sum();
        (self.records * bits).div_ceil(64)
    }
}

/// A writer of one file: takes the shapes of all arrays first, then the arrays in order.
///
/// ```
/// # use bouton_tables::format::{Content, FileWriter, Shape, in_memory};
/// let squares = (0..100).map(|n| [n, n * n]);
/// let file = in_memory(|sink| {
///     let mut file = FileWriter::new(sink, Content::Chances, &"some header", vec![Shape::of(squares.clone())?], 0)?;
///     file.array(squares)?;
///     file.finish()
/// })?;
/// // 64 bytes of prefix, 12 of header, 4 of sums; a directory of 24 bytes, 100 records of 7 + 14 bits, and 16
/// // bytes of padding.
/// assert_eq!(file.len(), 64 + 12 + 4 + 24 + 264 + 16);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FileWriter<'a> {
    sink: &'a mut dyn Sink,
    content: Content,
    prefix: Prefix,
    shapes: Vec<Shape>,
    /// Number of zero bytes after the arrays.
    zeros: u64,
    /// Number of arrays written so far.
    arrays: usize,
    /// The bits of the array after its last complete word.
    word: u64,
    /// Number of these bits.
    filled: u32,
    /// Bytes not passed to the sink yet.
    buffer: Vec<u8>,
    /// CRC-32 of the header, and at the end also of the sums.
    index_crc: crc32fast::Hasher,
    /// The checksums of the blocks so far.
    sums: Vec<u8>,
}

/// Number of bytes passed to the sink at a time.
const BUFFER: usize = 16 * BLOCK_LEN;

impl<'a> FileWriter<'a> {
    /// Begins a file with this header and arrays of these shapes. If directory and arrays are shorter than `min_len`
    /// bytes, zeros follow the arrays.
    pub fn new(
        sink: &'a mut dyn Sink,
        content: Content,
        header: &impl Serialize,
        shapes: Vec<Shape>,
        min_len: u64,
    ) -> io::Result<Self> {
        let header = encode_header(header);
        let words: u64 = shapes.iter().map(Shape::words).sum();
        let arrays = 8 * words + (shapes.len() * ENTRY) as u64;
        let zeros = min_len.saturating_sub(arrays).next_multiple_of(8);
        let body = usize::try_from(arrays + zeros).map_err(|_| io::ErrorKind::FileTooLarge)? + PADDING;
        let prefix = Prefix { header: header.len(), body, digest: [0; 32], index_crc: 0 };
        let mut sums = Vec::new();
        sums.try_reserve_exact(4 * body.div_ceil(BLOCK_LEN))?;
        sink.reserve(prefix.file_len() as u64)?;
        sink.seek(SeekFrom::Start(PREFIX_LEN as u64))?;
        sink.write_all(&header)?;
        sink.seek(SeekFrom::Start(prefix.at_body() as u64))?;
        let mut index_crc = crc32fast::Hasher::new();
        index_crc.update(&header);
        let mut buffer = Vec::new();
        buffer.try_reserve_exact(BUFFER)?;
        let mut file = Self {
            sink,
            content,
            prefix,
            shapes,
            zeros,
            arrays: 0,
            word: 0,
            filled: 0,
            buffer,
            index_crc,
            sums,
        };
        file.write_directory()?;
        Ok(file)
    }

    fn write_directory(&mut self) -> io::Result<()> {
        let mut start = (self.shapes.len() * ENTRY) as u64;
        for Shape { records, widths } in self.shapes.clone() {
            self.put(if records == 0 { 0 } else { start })?;
            self.put(records)?;
            self.put(u64::from_le_bytes(widths))?;
            start += 8 * Shape { records, widths }.words();
        }
        Ok(())
    }

    /// Writes the next array. The records must match the shape.
    pub fn array<const F: usize>(&mut self, records: impl IntoIterator<Item = [u64; F]>) -> io::Result<()> {
        let shape = self.next_shape();
        let mut count = 0;
        for record in records {
            count += 1;
            for (value, width) in record.into_iter().zip(shape.widths) {
                if let Some(word) = append(&mut self.word, &mut self.filled, value, width.into()) {
                    self.put(word)?;
                }
            }
        }
        assert_eq!(count, shape.records, "an array has as many records as its shape says");
        self.end_array()
    }

    /// Writes the next array, of single bits, from fields with their widths. Their bits must match the shape.
    pub fn fields(&mut self, fields: impl IntoIterator<Item = (u64, u32)>) -> io::Result<()> {
        let shape = self.next_shape();
        let mut bits = 0;
        for (value, width) in fields {
            bits += u64::from(width);
            if let Some(word) = append(&mut self.word, &mut self.filled, value, width) {
                self.put(word)?;
            }
        }
        assert_eq!(bits, shape.records, "an array has as many bits as its shape says");
        self.end_array()
    }

    fn end_array(&mut self) -> io::Result<()> {
        if self.filled > 0 {
            self.put(self.word)?;
        }
        (self.word, self.filled) = (0, 0);
        Ok(())
    }

    fn next_shape(&mut self) -> Shape {
        self.arrays += 1;
        self.shapes[self.arrays - 1]
    }

    fn put(&mut self, word: u64) -> io::Result<()> {
        self.buffer.extend_from_slice(&word.to_le_bytes());
        if self.buffer.len() == BUFFER { self.flush_buffer() } else { Ok(()) }
    }

    fn flush_buffer(&mut self) -> io::Result<()> {
        for block in self.buffer.chunks(BLOCK_LEN) {
            self.sums.extend_from_slice(&crc32fast::hash(block).to_le_bytes());
        }
        self.sink.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Completes the file. All arrays must have been written.
    pub fn finish(mut self) -> io::Result<Finished> {
        assert_eq!(self.arrays, self.shapes.len(), "every array is written");
        (0..(self.zeros + PADDING as u64) / 8).try_for_each(|_| self.put(0))?;
        self.flush_buffer()?;
        self.sink.seek(SeekFrom::Start(self.prefix.at_sums() as u64))?;
        self.sink.write_all(&self.sums)?;
        self.index_crc.update(&self.sums);
        self.sink.seek(SeekFrom::Start(PREFIX_LEN as u64))?;
        let bytes = self.prefix.file_len() as u64;
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(&mut *self.sink)?;
        if hasher.count() != bytes - PREFIX_LEN as u64 {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the file was changed while it was written",
            ));
        }
        let digest = *hasher.finalize().as_bytes();
        let prefix = Prefix { digest, index_crc: self.index_crc.finalize(), ..self.prefix };
        self.sink.seek(SeekFrom::Start(0))?;
        self.sink.write_all(&prefix.to_bytes(self.content))?;
        self.sink.flush()?;
        Ok(Finished { bytes, digest })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BitWriter, Body, Packed};
    use super::*;

    fn written(
        header: &str,
        shapes: Vec<Shape>,
        least: u64,
        write: impl FnOnce(&mut FileWriter<'_>),
    ) -> Vec<u8> {
        let mut what = None;
        let file = in_memory(|sink| {
            let mut file = FileWriter::new(sink, Content::Table, &header, shapes, least)?;
            write(&mut file);
            what = Some(file.finish()?);
            io::Result::Ok(())
        })
        .unwrap();
        let Finished { bytes, digest } = what.unwrap();
        assert_eq!((bytes, digest), (file.len() as u64, *blake3::hash(&file[64..]).as_bytes()));
        assert_eq!(file[24..56], digest);
        file
    }

    #[test]
    fn arrays_longer_than_the_buffer_read_back() {
        // An array of 128 KiB; an empty one; one whose last word is full; packed bits; arrays that end within a word.
        let long = || (0..16_384_u64).map(|n| [n << 18 | 1 << 32, n << 10 | 1 << 30]);
        let word = || (0..8_u64).map(|n| [200 + n]);
        let odd = || (0..100_u64).map(|n| [n, 3, n % 5]);
        let mut bits = BitWriter::default();
        (0..1000).for_each(|n| bits.push(n % 8, 3).unwrap());
        let shapes = vec![
            Shape::of(long()).unwrap(),
            Shape::of([[0; 2]; 0]).unwrap(),
            Shape::of(word()).unwrap(),
            Shape::of_single_bits(bits.len()),
            Shape::of(odd()).unwrap(),
            Shape::of([[0]; 5]).unwrap(),
        ];
        let file = written("some header", shapes, 0, |file| {
            file.array(long()).unwrap();
            file.array([[0; 2]; 0]).unwrap();
            file.array(word()).unwrap();
            file.fields(bits.fields(0..bits.len())).unwrap();
            file.array(odd()).unwrap();
            file.array([[0]; 5]).unwrap();
        });
        let body = Body::open(&file, Content::Table).unwrap();
        body.check_whole().unwrap();
        assert_eq!(body.header::<String>().unwrap(), "some header");
        // 100 records of 7 + 2 + 3 bits take 150 bytes; a record of zeros takes one bit; padding takes 16 bytes.
        let arrays = [8 * 16_384, 0, 8, 376, 152, 8];
        assert_eq!(body.len(), 6 * 24 + arrays.iter().sum::<usize>() + 16);
        // Each array begins at the end of the previous one.
        let mut start = 6 * 24;
        for (array, bytes) in (0_u64..).zip(arrays) {
            assert_eq!(body.word(24 * array), Ok(if bytes == 0 { 0 } else { start }));
            start += bytes as u64;
        }
        fn all<const F: usize>(body: &Body, array: usize) -> Vec<[u64; F]> {
            let array = Packed::<F>::read(body, array).unwrap();
            (0..array.count()).map(|n| array.get(body, n).unwrap()).collect()
        }
        assert!(all(&body, 0).into_iter().eq(long()) && all::<2>(&body, 1).is_empty());
        assert!(all(&body, 2).into_iter().eq(word()) && all(&body, 4).into_iter().eq(odd()));
        assert!(all(&body, 3).into_iter().eq((0..3000).map(|bit| [((bit / 3 % 8) >> (bit % 3)) & 1])));
        assert_eq!(all(&body, 5), [[0]; 5]);
    }

    #[test]
    fn zeros_fill_a_file_up_to_its_minimum_length() {
        for (least, bytes) in [(0, 32), (32, 32), (33, 40), (40, 40), (5000, 5000), (100_001, 100_008)] {
            let shape = Shape::of([[77]]).unwrap();
            let file = written("", vec![shape], least, |file| file.array([[77]]).unwrap());
            let body = Body::open(&file, Content::Table).unwrap();
            body.check_whole().unwrap();
            assert_eq!(body.len(), bytes + 16, "{least}");
        }
    }

    #[test]
    fn a_field_of_more_than_40_bits_is_refused() {
        assert!(Shape::of([[0, (1 << 40) - 1]]).is_ok());
        let error = Shape::of([[0, 1], [0, 1 << 40]]).unwrap_err().to_string();
        assert!(error.contains("a field of 41 bits is needed, at most 40 are allowed"), "{error}");
    }

    #[test]
    fn a_file_too_long_for_memory_is_an_error() {
        assert!(Cursor::new(Vec::new()).reserve(1000).is_ok());
        assert!(Cursor::new(Vec::new()).reserve(1 << 63).is_err());
    }

    /// A sink whose file has become longer by this number of bytes, or shorter if it is negative, when it is read.
    struct ChangedSink(Cursor<Vec<u8>>, i64);

    impl Read for ChangedSink {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = self.0.get_ref().len() as i64;
            self.0.get_mut().resize((len + std::mem::take(&mut self.1)) as usize, 0);
            self.0.read(buffer)
        }
    }

    impl Write for ChangedSink {
        fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
            self.0.write(buffer)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0.flush()
        }
    }

    impl Seek for ChangedSink {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    impl Sink for ChangedSink {
        fn reserve(&mut self, bytes: u64) -> io::Result<()> {
            self.0.reserve(bytes)
        }
    }

    #[test]
    fn a_file_that_changes_its_length_while_it_is_written_is_an_error() {
        for (by, changed) in [(0, false), (-1, true), (1, true)] {
            let mut sink = ChangedSink(Cursor::default(), by);
            let shapes = vec![Shape::of([[77]]).unwrap()];
            let mut file = FileWriter::new(&mut sink, Content::Table, &(), shapes, 0).unwrap();
            file.array([[77]]).unwrap();
            let found = file.finish();
            assert_eq!(found.is_err(), changed, "{found:?}");
        }
    }
}
