//! Embeds the desk anew when it was built anew. Without Node.js there is nothing to embed, and the program builds all the
//! same: the folder is then empty.

fn main() {
    let built = "../../ui/dist";
    // A path that is missing would have cargo build this crate, and all that stand on it, each time.
    if let Err(error) = std::fs::create_dir_all(built) {
        println!("cargo:warning={built} cannot be made: {error}");
    }
    println!("cargo:rerun-if-changed={built}");
}
