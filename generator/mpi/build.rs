//! Reports what to install if MPI is missing. Without this, the build fails later in `mpi-sys`, whose message names no
//! package.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // `mpi-sys` also finds MPI by these variables.
    if ["MPI_PKG_CONFIG", "CRAY_MPICH_DIR"].iter().any(|name| env::var_os(name).is_some()) {
        return;
    }
    let compiler = env::var("MPICC").unwrap_or_else(|_| "mpicc".to_owned());
    if Command::new(&compiler).arg("-show").output().is_err() {
        println!(
            "cargo::error=bouton-mpi needs MPI, and there is no `{compiler}`. Debian and Ubuntu have it: apt-get install openmpi-bin \
             libopenmpi-dev libclang-dev (or mpich libmpich-dev libclang-dev). On a cluster load its own: module load openmpi"
        );
    }
}
