use aplomb::step::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let files = aplomb::scene::load(&args[1], &args[2..]).map_err(|e| miette::Report::new(e)).unwrap();
    let mut sim = Simulation::bind(&files)
        .map_err(|e| {
            for x in e {
                eprintln!("{:?}", miette::Report::new(x));
            }
        })
        .unwrap();
    let mut k = 0;
    let mut frames = vec![];
    let t0 = std::time::Instant::now();
    let last = aplomb::run::run::<BadValue>(&mut sim, |_, s| { k += 1;
        let f = &s.frame;
        if k % 25 == 1 || !matches!(f.outcome, aplomb::trace::Outcome::Solved) { println!("{:5.2} {} com {:.4} {:.4} {:.4} cop {:?} n {} out {:?} tau {:.1} it {}  costs {:?} bind {:?}", f.time, f.state, f.com[0], f.com[1], f.com[2], f.centre_of_pressure.map(|c| [(c[0]*1e4).round()/1e4,(c[1]*1e4).round()/1e4]), f.contacts.len(), f.outcome, f.torque.iter().fold(0.0f64, |a,b| a.max(b.abs())), f.iterations, f.costs.iter().map(|c| (c*1e5).round()/1e5).collect::<Vec<_>>(), &s.binding[..s.binding.len().min(2)]); }
        frames.push(s.frame); Ok(()) }).unwrap();
    println!("end {} {:?}", last.time, last.com);
    println!("real time factor {}", last.time / t0.elapsed().as_secs_f64());
    for c in &sim.criteria {
        println!("{} {} {:?}", c.name, c.holds, c.at);
    }
}
