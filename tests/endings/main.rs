//! Everything ends: each command is run on extreme input, within limits of processor time and memory.
//!
//! `KUBECTL_HPA_STRIDE` sets how many of the drawn runs are left out between two; 1 runs all.

#[cfg(target_os = "linux")]
mod extremes;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod sizes;
#[cfg(target_os = "linux")]
mod streams;
