use std::sync::LazyLock;

/// Natural logarithms of visits. Small numbers of visits, the usual case, are looked up in tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logarithms {
    logs: &'static [f64],
    roots: &'static [f64],
}

impl Logarithms {
    const TABLED: u32 = 1 << 14;

    /// Computes the tables once per process.
    pub(crate) fn new() -> Self {
        static LOGS: LazyLock<Vec<f64>> =
            LazyLock::new(|| (0..Logarithms::TABLED).map(Logarithms::computed).collect());
        static ROOTS: LazyLock<Vec<f64>> =
            LazyLock::new(|| LOGS.iter().map(|log| (2.0 * log).sqrt()).collect());
        Self { logs: &LOGS, roots: &ROOTS }
    }

    fn computed(visits: u32) -> f64 {
        libm::log(f64::from(visits.max(1)))
    }

    /// ln of the visits; 0 for none.
    #[inline(always)]
    pub(crate) fn of(self, visits: u32) -> f64 {
        self.logs.get(visits as usize).copied().unwrap_or_else(|| Self::computed(visits))
    }

    /// √(2 ln of the visits).
    #[inline(always)]
    pub(crate) fn root(self, visits: u32) -> f64 {
        let tabled = self.roots.get(visits as usize).copied();
        tabled.unwrap_or_else(|| (2.0 * Self::computed(visits)).sqrt())
    }
}
