use aplomb::step::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let files = aplomb::scene::load(&args[1], &args[4..]).map_err(|e| miette::Report::new(e)).unwrap();
    let mut sim = Simulation::bind(&files)
        .map_err(|e| {
            for x in e {
                eprintln!("{:?}", miette::Report::new(x));
            }
        })
        .unwrap();
    let (a, b): (f64, f64) = (args[2].parse().unwrap(), args[3].parse().unwrap());
    aplomb::run::run::<BadValue>(&mut sim, |_, s| {
        let f = &s.frame;
        if f.time >= a && f.time < b {
            println!("{:5.2} {}", f.time, f.state);
            for c in &f.contacts {
                println!(
                    "   {:30} gap {:9.6} fz {:8.3} ft {:7.3} {:7.3} {:?}",
                    c.name, c.gap, c.force[2], c.force[0], c.force[1], c.kind
                );
            }
        }
        Ok(())
    })
    .unwrap();
}
