//! The native counterpart of the module: `native records SCENE` prints the digest of each frame's record, `native
//! texts SCENE` the records themselves, `native time SCENE` three times the median time of 600 frames, in µs.

use aplomb_web::record;
use aplomb_web::request::OpenRequest;
use aplomb_web::session::PageSession;
use std::io::{BufWriter, Write};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, scene] = &arguments[..] else { return Err("native records|texts|time SCENE".into()) };
    let open = || {
        let request = OpenRequest { scene: scene.clone(), controller: None, overrides: Vec::new() };
        PageSession::open(&request).map_err(|findings| format!("{findings:?}"))
    };
    if what == "time" {
        for _ in 0..3 {
            println!("{:.1}", median(open()?)?);
        }
        return Ok(());
    }
    let (mut session, mut out) = (open()?, BufWriter::new(std::io::stdout().lock()));
    while let Some(text) = record::next(&mut session).map_err(|findings| format!("{findings:?}"))? {
        if what == "texts" {
            out.write_all(&text)?;
            out.write_all(b"\n")?;
        } else {
            let [high, low] = record::digest(&text);
            writeln!(out, "{high} {low}")?;
        }
    }
    Ok(())
}

fn median(mut session: PageSession) -> Result<f64, String> {
    let mut times = Vec::new();
    for _ in 0..600 {
        let start = Instant::now();
        session.step().map_err(|findings| format!("{findings:?}"))?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
