//! A priority queue of variables, ordered by their activity (exponential VSIDS).
//!
//! Paper: Een, Sorensson: *An extensible SAT-solver*, SAT 2003.

const ABSENT: u32 = u32::MAX;
/// If an activity exceeds this value, all activities are scaled down.
const MOST: f64 = 1e150;

/// The activity of each variable.
#[derive(Debug, Clone)]
pub(crate) struct Activities {
    of: Vec<f64>,
    /// The next increase of an activity.
    increment: f64,
}

/// Variables in descending order of their activity.
#[derive(Debug)]
pub(crate) struct Heap {
    activities: Activities,
    order: Vec<u32>,
    /// The position of each variable in the heap.
    position: Vec<u32>,
}

impl Default for Heap {
    fn default() -> Self {
        let activities = Activities { of: Vec::new(), increment: 1.0 };
        Self { activities, order: Vec::new(), position: Vec::new() }
    }
}

impl Heap {
    /// Adds the next variable.
    pub(crate) fn add(&mut self, activity: f64) {
        let variable = self.activities.of.len();
        self.activities.of.push(activity);
        self.position.push(ABSENT);
        self.insert(variable);
    }

    pub(crate) fn activity(&self, variable: usize) -> f64 {
        self.activities.of[variable]
    }

    pub(crate) fn insert(&mut self, variable: usize) {
        if self.position[variable] == ABSENT {
            let last = self.order.len();
            self.order.push(variable as u32);
            self.position[variable] = last as u32;
            self.up(last);
        }
    }

    /// Returns the variable with the highest activity.
    pub(crate) fn first(&self) -> Option<usize> {
        self.order.first().map(|&variable| variable as usize)
    }

    /// Removes the variable with the highest activity.
    pub(crate) fn pop(&mut self) {
        let Some(last) = self.order.pop() else { return };
        let Some(first) = self.order.first_mut() else {
            self.position[last as usize] = ABSENT;
            return;
        };
        let removed = std::mem::replace(first, last);
        self.position[removed as usize] = ABSENT;
        self.position[last as usize] = 0;
        self.down(0);
    }

    /// Increases the activity of a variable.
    pub(crate) fn bump(&mut self, variable: usize) {
        let Activities { of, increment } = &mut self.activities;
        of[variable] += *increment;
        if of[variable] > MOST {
            for activity in of.iter_mut() {
                *activity /= MOST;
            }
            *increment /= MOST;
        }
        if self.position[variable] != ABSENT {
            self.up(self.position[variable] as usize);
        }
    }

    /// Sets all activities to 0, and orders the variables by their numbers.
    pub(crate) fn forget(&mut self) {
        self.activities.increment = 1.0;
        self.activities.of.fill(0.0);
        // A sorted list is a heap, and of equal activities the first one stays on top.
        self.order.sort_unstable();
        for (position, &variable) in self.order.iter().enumerate() {
            self.position[variable as usize] = position as u32;
        }
    }

    pub(crate) fn activities(&self) -> &Activities {
        &self.activities
    }

    /// Sets all activities to earlier ones. A variable that was added since then has the activity 0.
    pub(crate) fn restore(&mut self, mut activities: Activities) {
        activities.of.resize(self.activities.of.len(), 0.0);
        self.activities = activities;
        for at in (0..self.order.len() / 2).rev() {
            self.down(at);
        }
    }

    /// Makes later increases larger, which has the same effect as multiplying all activities by `factor`.
    pub(crate) fn decay(&mut self, factor: f64) {
        self.activities.increment /= factor;
    }

    fn up(&mut self, mut at: usize) {
        let variable = self.order[at];
        let activity = self.activities.of[variable as usize];
        while at > 0 {
            let parent = (at - 1) / 2;
            let above = self.order[parent];
            if self.activities.of[above as usize] >= activity {
                break;
            }
            self.order[at] = above;
            self.position[above as usize] = at as u32;
            at = parent;
        }
        self.order[at] = variable;
        self.position[variable as usize] = at as u32;
    }

    fn down(&mut self, mut at: usize) {
        let variable = self.order[at];
        let activity = self.activities.of[variable as usize];
        loop {
            let mut child = 2 * at + 1;
            let Some(&left) = self.order.get(child) else { break };
            let mut larger = left;
            if let Some(&right) = self.order.get(child + 1)
                && self.activities.of[right as usize] > self.activities.of[left as usize]
            {
                child += 1;
                larger = right;
            }
            if self.activities.of[larger as usize] <= activity {
                break;
            }
            self.order[at] = larger;
            self.position[larger as usize] = at as u32;
            at = child;
        }
        self.order[at] = variable;
        self.position[variable as usize] = at as u32;
    }
}
