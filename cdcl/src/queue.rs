//! A queue of variables in the order in which they were last involved in a conflict (VMTF).
//!
//! Paper: Biere, Froehlich: *Evaluating CDCL variable scoring schemes*, SAT 2015.

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Links {
    previous: u32,
    next: u32,
}

/// Variables in a doubly linked list. The search branches on the unassigned variable that is nearest to the end.
#[derive(Debug)]
pub(crate) struct Queue {
    links: Vec<Links>,
    /// For each variable, the time at which it was last moved to the end.
    time: Vec<u64>,
    first: u32,
    last: u32,
    /// All variables after this one are assigned.
    unassigned: u32,
    clock: u64,
}

impl Default for Queue {
    fn default() -> Self {
        // Variables that were never moved have times below this initial value.
        let clock = u64::from(u32::MAX);
        Self { links: Vec::new(), time: Vec::new(), first: NONE, last: NONE, unassigned: NONE, clock }
    }
}

impl Queue {
    /// Adds the next variable. If `at_end` is true, the search branches on the new variable before all older variables;
    /// otherwise, it branches on the new variable after them.
    pub(crate) fn add(&mut self, at_end: bool) {
        let variable = self.links.len() as u32;
        self.links.push(Links { previous: NONE, next: self.first });
        self.time.push(u64::from(u32::MAX - variable));
        match self.links.get_mut(self.first as usize) {
            Some(links) => links.previous = variable,
            None => self.last = variable,
        }
        self.first = variable;
        if self.unassigned == NONE {
            self.unassigned = variable;
        }
        if at_end {
            self.bump(variable as usize, false);
        }
    }

    pub(crate) fn time(&self, variable: usize) -> u64 {
        self.time[variable]
    }

    /// Moves a variable to the end of the queue.
    pub(crate) fn bump(&mut self, variable: usize, is_assigned: bool) {
        let index = variable as u32;
        let Links { previous, next } = self.links[variable];
        if next == NONE {
            return;
        }
        if self.unassigned == index {
            self.unassigned = if previous == NONE { next } else { previous };
        }
        self.links[next as usize].previous = previous;
        match self.links.get_mut(previous as usize) {
            Some(links) => links.next = next,
            None => self.first = next,
        }
        self.links[self.last as usize].next = index;
        self.links[variable] = Links { previous: self.last, next: NONE };
        self.last = index;
        self.clock += 1;
        self.time[variable] = self.clock;
        if !is_assigned {
            self.unassigned = index;
        }
    }

    /// Reports that a variable is no longer assigned.
    pub(crate) fn unassign(&mut self, variable: usize) {
        if self.unassigned == NONE || self.time[variable] > self.time[self.unassigned as usize] {
            self.unassigned = variable as u32;
        }
    }

    /// Returns the unassigned variable that is nearest to the end of the queue.
    pub(crate) fn next(&mut self, is_assigned: impl Fn(usize) -> bool) -> Option<usize> {
        let mut at = self.unassigned;
        while at != NONE && is_assigned(at as usize) {
            at = self.links[at as usize].previous;
        }
        if at == NONE {
            return None;
        }
        self.unassigned = at;
        Some(at as usize)
    }
}
