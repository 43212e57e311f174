//! Tables for Python by Arrow's C stream interface (<https://arrow.apache.org/docs/format/CStreamInterface.html>): three structs of C,
//! which pandas, polars, duckdb and pyarrow read without a copy.
//!
//! Rejected: the crates of Arrow, which bring thirty more, and other features of crates that the games share with them, so that
//! everything would be built again.

#![expect(unsafe_code, reason = "an interface of C")]

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{self, null, null_mut};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::{Result, error};

/// The cells of a column: none where it is empty.
#[derive(Debug)]
enum Cells {
    Whole(Vec<i64>),
    Real(Vec<f64>),
    /// The texts one after the other, and where each begins and the last ends.
    Text(Vec<u8>, Vec<i32>),
}

struct Column {
    name: CString,
    cells: Cells,
    /// A bit for each row that has a cell.
    is_there: Vec<u8>,
    empty: i64,
}

struct Columns {
    all: Vec<Column>,
    rows: usize,
}

/// A table: columns of whole numbers, numbers and texts.
#[pyclass(frozen, module = "shikou._shikou")]
pub(crate) struct Table(Arc<Columns>);

impl Table {
    /// The table of a CSV. A column is of numbers if all of its cells are that are not empty.
    pub(crate) fn of_csv(text: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names: Vec<String> = reader.headers()?.iter().map(Into::into).collect();
        let records = reader.records().collect::<Result<Vec<_>, _>>()?;
        let column = |(place, name): (usize, String)| {
            let cells = || records.iter().map(|record| &record[place]);
            let known = || cells().filter(|cell| !cell.is_empty());
            let mut is_there = vec![0; records.len().div_ceil(8)];
            for (row, _) in cells().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                is_there[row / 8] |= 1 << (row % 8);
            }
            let is_empty = known().next().is_none();
            let cells = if !is_empty && known().all(|cell| cell.parse::<i64>().is_ok()) {
                Cells::Whole(cells().map(|cell| cell.parse().unwrap_or_default()).collect())
            } else if !is_empty && known().all(|cell| cell.parse::<f64>().is_ok()) {
                Cells::Real(cells().map(|cell| cell.parse().unwrap_or_default()).collect())
            } else {
                let (mut bytes, mut ends) = (Vec::new(), vec![0]);
                for cell in cells() {
                    bytes.extend(cell.bytes());
                    ends.push(i32::try_from(bytes.len())?);
                }
                Cells::Text(bytes, ends)
            };
            let empty = (records.len() - known().count()) as i64;
            Ok(Column { name: CString::new(name)?, cells, is_there, empty })
        };
        let all =
            names.into_iter().enumerate().map(column).collect::<Result<_, Box<dyn std::error::Error>>>()?;
        Ok(Self(Arc::new(Columns { all, rows: records.len() })))
    }
}

#[pymethods]
impl Table {
    #[new]
    fn new(csv: &str) -> Result<Self> {
        Self::of_csv(csv).map_err(error)
    }

    fn __len__(&self) -> usize {
        self.0.rows
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.all.iter().map(|column| column.name.to_string_lossy().into_owned()).collect()
    }

    /// The cells of a column, `None` where there is none.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> Result<Bound<'py, PyList>> {
        let column = self.0.all.iter().find(|column| column.name.as_bytes() == name.as_bytes());
        let column =
            column.ok_or_else(|| error(format!("no column {name:?}; columns: {:?}", self.columns())))?;
        let list = PyList::empty(py);
        for row in 0..self.0.rows {
            match &column.cells {
                _ if column.is_there[row / 8] >> (row % 8) & 1 == 0 => list.append(py.None())?,
                Cells::Whole(cells) => list.append(cells[row])?,
                Cells::Real(cells) => list.append(cells[row])?,
                Cells::Text(bytes, ends) => {
                    let text = &bytes[ends[row] as usize..ends[row + 1] as usize];
                    list.append(String::from_utf8_lossy(text))?;
                }
            }
        }
        Ok(list)
    }

    /// The columns as lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for name in self.columns() {
            all.set_item(&name, self.__getitem__(py, &name)?)?;
        }
        Ok(all)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> Result<Bound<'py, PyCapsule>> {
        // A schema that is asked for is a wish, which a producer may leave unheard.
        drop(requested_schema);
        let stream = Stream {
            get_schema: stream_schema,
            get_next: stream_next,
            get_last_error: no_error,
            release: Some(release_stream),
            table: Box::into_raw(Box::new((Arc::clone(&self.0), false))),
        };
        PyCapsule::new_with_value_and_destructor(py, stream, c"arrow_array_stream", |stream, _| {
            let mut stream = stream;
            if let Some(release) = stream.release {
                // SAFETY: nobody has released the stream.
                unsafe { release(&raw mut stream) };
            }
        })
    }
}

/// `ArrowSchema`.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// `ArrowArray`.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// `ArrowArrayStream`: the table, and whether its rows were taken.
#[repr(C)]
struct Stream {
    get_schema: unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int,
    get_next: unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int,
    get_last_error: unsafe extern "C" fn(*mut Stream) -> *const c_char,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    table: *mut (Arc<Columns>, bool),
}

// SAFETY: the table is shared by an `Arc` of plain data, and only the owner of the stream touches the flag.
unsafe impl Send for Stream {}

/// What a schema or an array needs while it lives: the table, and its pointers.
struct Kept<T> {
    _table: Arc<Columns>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut T>,
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the caller owns a schema that `schema_of` made, and releases it once; children are released by their parent.
    unsafe {
        for child in (*(*schema).private_data.cast::<Kept<Schema>>()).children.drain(..) {
            let mut child = Box::from_raw(child);
            if let Some(release) = child.release {
                release(&raw mut *child);
            }
        }
        drop(Box::from_raw((*schema).private_data.cast::<Kept<Schema>>()));
        (*schema).release = None;
    }
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: as in `release_schema`.
    unsafe {
        for child in (*(*array).private_data.cast::<Kept<Array>>()).children.drain(..) {
            let mut child = Box::from_raw(child);
            if let Some(release) = child.release {
                release(&raw mut *child);
            }
        }
        drop(Box::from_raw((*array).private_data.cast::<Kept<Array>>()));
        (*array).release = None;
    }
}

fn schema_of(
    table: &Arc<Columns>,
    format: *const c_char,
    name: *const c_char,
    children: Vec<Schema>,
) -> Schema {
    let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let mut kept = Box::new(Kept { _table: Arc::clone(table), buffers: Vec::new(), children });
    Schema {
        format,
        name,
        metadata: null(),
        // Every column may have empty cells.
        flags: 2,
        n_children: kept.children.len() as i64,
        children: kept.children.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(kept).cast(),
    }
}

fn array_of(table: &Arc<Columns>, empty: i64, buffers: Vec<*const c_void>, children: Vec<Array>) -> Array {
    let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let mut kept = Box::new(Kept { _table: Arc::clone(table), buffers, children });
    Array {
        length: table.rows as i64,
        null_count: empty,
        offset: 0,
        n_buffers: kept.buffers.len() as i64,
        n_children: kept.children.len() as i64,
        buffers: kept.buffers.as_mut_ptr(),
        children: kept.children.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_array),
        private_data: Box::into_raw(kept).cast(),
    }
}

unsafe extern "C" fn stream_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: the caller gives a stream that is not released and room for a schema.
    unsafe {
        let table = &(*(*stream).table).0;
        let of = |column: &Column| {
            let format = match column.cells {
                Cells::Whole(_) => c"l",
                Cells::Real(_) => c"g",
                Cells::Text(..) => c"u",
            };
            schema_of(table, format.as_ptr(), column.name.as_ptr(), Vec::new())
        };
        ptr::write(out, schema_of(table, c"+s".as_ptr(), c"".as_ptr(), table.all.iter().map(of).collect()));
    }
    0
}

unsafe extern "C" fn stream_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: as in `stream_schema`; the end of the stream is an array without a release.
    unsafe {
        let (table, is_taken) = &mut *(*stream).table;
        if std::mem::replace(is_taken, true) {
            ptr::write_bytes(out, 0, 1);
            return 0;
        }
        let of = |column: &Column| {
            let mut buffers: Vec<*const c_void> = vec![column.is_there.as_ptr().cast()];
            match &column.cells {
                Cells::Whole(cells) => buffers.push(cells.as_ptr().cast()),
                Cells::Real(cells) => buffers.push(cells.as_ptr().cast()),
                Cells::Text(bytes, ends) => buffers.extend([ends.as_ptr().cast(), bytes.as_ptr().cast()]),
            }
            array_of(table, column.empty, buffers, Vec::new())
        };
        let children = table.all.iter().map(of).collect();
        ptr::write(out, array_of(table, 0, vec![null()], children));
    }
    0
}

unsafe extern "C" fn no_error(_stream: *mut Stream) -> *const c_char {
    null()
}

unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: the caller owns the stream and releases it once.
    unsafe {
        drop(Box::from_raw((*stream).table));
        (*stream).release = None;
    }
}
