use super::*;
use aplomb_trace::example;
use std::fs::{self, File};

fn settings() -> FilmSettings {
    FilmSettings { rate: 20.0, width: 200, ..FilmSettings::default() }
}

/// One second of the example in this format.
fn written(format: FilmFormat, settings: &FilmSettings) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("film.{}", format.name()));
    write(&example::trace(101), settings, format, &path, |_, _| {}).unwrap();
    (folder, path)
}

/// Colours of a whole picture of the film.
fn drawn(trace: &Trace, settings: &FilmSettings, number: usize) -> Vec<[u8; 3]> {
    let picture = Film::new(trace, settings).unwrap().picture(number).unwrap().raster().unwrap();
    let whole = Changed { left: 0, top: 0, width: picture.width(), height: picture.height() };
    colours(&picture, whole).collect()
}

#[test]
fn the_pictures_of_a_film_are_so_far_apart_as_they_are_shown() {
    let trace = example::trace(101);
    let film = |settings: &FilmSettings| Film::new(&trace, settings).unwrap().len();
    // The last record has no forces.
    assert_eq!(film(&settings()), 20);
    assert_eq!(film(&FilmSettings { speed: 0.5, ..settings() }), 40);
    assert_eq!(film(&FilmSettings { from: 0.5, until: 0.7, ..settings() }), 5);
    let nothing = write(
        &trace,
        &FilmSettings { from: 7.0, ..settings() },
        FilmFormat::Gif,
        Path::new("never.gif"),
        |_, _| {},
    );
    assert!(matches!(nothing, Err(FilmError::Empty { .. })));
}

#[test]
fn a_gif_shows_the_pictures_in_order_and_only_what_changes_is_in_it() {
    let (_folder, path) = written(FilmFormat::Gif, &settings());
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(File::open(&path).unwrap()).unwrap();
    let [width, height] = [decoder.width(), decoder.height()].map(usize::from);
    let mut page = vec![[0_u8; 3]; width * height];
    let trace = example::trace(101);
    let (mut number, mut delays) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (k, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (k % usize::from(frame.width), k / usize::from(frame.width));
            if pixel[3] > 0 {
                let at = (y + usize::from(frame.top)) * width + x + usize::from(frame.left);
                page[at] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        let wanted = drawn(&trace, &settings(), number);
        let off = wanted.iter().zip(&page).map(|(a, b)| (0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap());
        assert!(off.max().unwrap() < 48, "picture {number}: the palette is near");
        assert!(number == 0 || frame.width as usize * (frame.height as usize) < width * height);
        delays += frame.delay;
        number += 1;
    }
    assert_eq!((number, delays), (20, 100), "pictures, hundredths of a second");
}

#[test]
fn an_animated_png_has_every_picture_to_the_bit() {
    let (_folder, path) = written(FilmFormat::Apng, &settings());
    let decoder = ::png::Decoder::new(std::io::BufReader::new(File::open(&path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let info = reader.info();
    let (width, height) = (info.width as usize, info.height as usize);
    assert_eq!(info.animation_control().unwrap().num_frames, 20);
    let mut page = vec![[0_u8; 3]; width * height];
    let trace = example::trace(101);
    for number in 0..20 {
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut buffer).unwrap();
        let control = *reader.info().frame_control().unwrap();
        for (k, pixel) in buffer.chunks_exact(3).take((control.width * control.height) as usize).enumerate() {
            let (x, y) = (k % control.width as usize, k / control.width as usize);
            let at = (y + control.y_offset as usize) * width + x + control.x_offset as usize;
            page[at] = [pixel[0], pixel[1], pixel[2]];
        }
        assert!(page == drawn(&trace, &settings(), number), "picture {number}");
    }
}

#[test]
fn the_same_run_gives_the_same_film() {
    for format in [FilmFormat::Gif, FilmFormat::Apng] {
        let [(_a, first), (_b, second)] = [written(format, &settings()), written(format, &settings())];
        assert!(fs::read(first).unwrap() == fs::read(second).unwrap());
    }
}
