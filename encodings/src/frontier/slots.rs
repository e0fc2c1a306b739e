//! Slots: positions in a state. Vertices that are on the frontier at different times can share a slot.

/// The slot of each vertex of a graph during a sweep. Vertices that are on the frontier at the same time have
/// different slots.
#[derive(Debug)]
pub(super) struct Slots {
    /// The slot of each vertex.
    pub(super) of: Vec<usize>,
    /// The vertices that are added to the frontier in each step.
    pub(super) entering: Vec<Vec<usize>>,
    /// The slots of the vertices that leave the frontier in each step.
    pub(super) leaving: Vec<Vec<usize>>,
    /// The number of slots in a state.
    pub(super) count: usize,
}

impl Slots {
    /// Assigns slots to vertices. `spans` gives the first and the last time at which each vertex is on the frontier, or
    /// `None` for a vertex that is never on the frontier.
    pub(super) fn new(spans: &[Option<(usize, usize)>], times: usize) -> Self {
        let mut entering = vec![Vec::new(); times];
        let mut last = vec![Vec::new(); times];
        for (vertex, &(from, to)) in
            spans.iter().enumerate().filter_map(|(v, span)| Some((v, span.as_ref()?)))
        {
            entering[from].push(vertex);
            last[to].push(vertex);
        }
        let mut slots =
            Self { of: vec![usize::MAX; spans.len()], entering, leaving: vec![Vec::new(); times], count: 0 };
        let mut free = Vec::new();
        for ((entering, leaving), last) in slots.entering.iter().zip(&mut slots.leaving).zip(&last) {
            for &vertex in entering {
                slots.of[vertex] = free.pop().unwrap_or_else(|| {
                    slots.count += 1;
                    slots.count - 1
                });
            }
            for &vertex in last {
                leaving.push(slots.of[vertex]);
                free.push(slots.of[vertex]);
            }
        }
        slots
    }
}

/// Renumbers the classes of a partition of the slots in order of first occurrence.
///
/// `labels[slot]` is the class of the slot, or 0 if it has none. The function replaces each label by its new number,
/// and calls `moved(old, new)` once for each class.
pub(super) fn renumber(labels: &mut [u8], mut moved: impl FnMut(u8, u8)) {
    let mut new = [0; 256];
    let mut classes = 0;
    for label in labels {
        if *label == 0 {
            continue;
        }
        let class = &mut new[usize::from(*label)];
        if *class == 0 {
            classes += 1;
            *class = classes;
            moved(*label, classes);
        }
        *label = *class;
    }
}
