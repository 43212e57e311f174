//! Python's state of a thread that plays, kept until the thread ends. Otherwise each question would make one, and map and unmap its
//! stack: most of the time of a short one.

#![expect(unsafe_code, reason = "the interface of Python for threads")]

use pyo3::ffi;

struct Kept {
    lock: ffi::PyGILState_STATE,
    state: *mut ffi::PyThreadState,
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: this thread made the state, and has not had the lock since the last question.
        unsafe {
            ffi::PyEval_RestoreThread(self.state);
            ffi::PyGILState_Release(self.lock);
        }
    }
}

/// Makes and keeps the state of this thread, unless it has one.
pub(crate) fn keep_state() {
    thread_local! {
        static KEPT: Option<Kept> = {
            // SAFETY: a thread without a state does not have the lock; it takes it and gives it back.
            unsafe {
                ffi::PyGILState_GetThisThreadState().is_null().then(|| {
                    let lock = ffi::PyGILState_Ensure();
                    Kept { lock, state: ffi::PyEval_SaveThread() }
                })
            }
        };
    }
    KEPT.with(|_| ());
}
