//! The places where safe code meets the instructions of vectors: calls of functions that are compiled for a path, and copies of
//! registers from and to memory.

/// Calls a function of a module `avx2` or `avx512`, which is compiled for all that the path of that name checks. Panics if this
/// processor does not have the path's instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! call_on {
    ($path:ident, $module:ident::$function:ident $(::<$number:literal>)? ($($argument:ident),*)) => {{
        let path = crate::game::Path::$path;
        assert!(path.is_available(), "this processor has no {path}");
        #[expect(unsafe_code, reason = "a function compiled for more features than the crate")]
        // SAFETY: the path is available, so the processor has every feature that the function is compiled for.
        unsafe {
            $module::$function $(::<$number>)? ($($argument),*)
        }
    }};
}

/// Declares functions that copy a register from an array of numbers, and to it.
#[cfg(target_arch = "x86_64")]
macro_rules! copies_registers {
    ($array:ty as $register:ty: $load:ident by $loads:ident $(, $store:ident by $stores:ident)?) => {
        for_this_path! {
            /// Loads a register from memory.
            pub(super) fn $load(array: &$array) -> $register {
                const { assert!(size_of::<$array>() == size_of::<$register>()) };
                #[expect(unsafe_code, reason = "reads through a pointer")]
                // SAFETY: the reference is to the bytes that are read, as was just seen, which need not be aligned.
                unsafe {
                    $loads(array.as_ptr().cast())
                }
            }

            $(/// Stores a register to memory.
            pub(super) fn $store(array: &mut $array, register: $register) {
                #[expect(unsafe_code, reason = "writes through a pointer")]
                // SAFETY: the reference is to the bytes that are written, as many as are read, which need not be aligned.
                unsafe {
                    $stores(array.as_mut_ptr().cast(), register);
                }
            })?
        }
    };
}
