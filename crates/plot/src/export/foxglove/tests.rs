use super::*;
use aplomb_trace::example;
use std::io::Cursor;

/// Fields of a message: number, and the bytes of a string or message, or the eight bytes of a number.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
    fn whole(bytes: &mut &[u8]) -> u64 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let (first, rest) = bytes.split_first().unwrap();
            *bytes = rest;
            value |= u64::from(first & 0x7f) << shift;
            shift += 7;
            if first & 0x80 == 0 {
                return value;
            }
        }
    }
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let key = whole(&mut bytes);
        let content = match key & 7 {
            0 => whole(&mut bytes).to_le_bytes().to_vec(),
            1 => bytes.split_off(..8).unwrap().to_vec(),
            2 => {
                let length = whole(&mut bytes) as usize;
                bytes.split_off(..length).unwrap().to_vec()
            }
            other => panic!("wire type {other}"),
        };
        all.push((key >> 3, content));
    }
    all
}

fn field(message: &[u8], number: u64) -> Vec<u8> {
    fields(message).into_iter().find(|(known, _)| *known == number).unwrap_or_else(|| panic!("no {number}")).1
}

fn doubles(message: &[u8]) -> Vec<f64> {
    fields(message).iter().map(|(_, bytes)| f64::from_le_bytes(bytes[..].try_into().unwrap())).collect()
}

fn exported(trace: &Trace) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    write(trace, &mut bytes).unwrap();
    bytes.into_inner()
}

#[test]
fn every_body_is_where_the_trace_has_it() {
    let trace = example::trace(5);
    let bytes = exported(&trace);
    let model = character(&trace.header).unwrap();
    let mut places = 0;
    for message in mcap::MessageStream::new(&bytes).unwrap() {
        let message = message.unwrap();
        if message.channel.topic != "/tf" {
            continue;
        }
        let frame = &trace.frames[places];
        assert_eq!(message.log_time, nanoseconds(frame.time));
        let mut kinematics = Kinematics::new(&model);
        kinematics.update_poses(&model, &frame.q);
        let transforms = fields(&message.data);
        for (index, body) in model.bodies.iter().enumerate() {
            let (number, transform) = &transforms[index];
            assert_eq!((*number, field(transform, 2)), (1, b"world".to_vec()));
            assert_eq!(field(transform, 3), body.name.as_bytes());
            assert_eq!(doubles(&field(transform, 4)), kinematics.position[index].as_slice());
            let turn = doubles(&field(transform, 5));
            let turn = unit([turn[3], turn[0], turn[1], turn[2]]).to_rotation_matrix();
            assert!((turn.matrix() - kinematics.rotation[index]).norm() < 1e-12);
        }
        places += 1;
    }
    assert_eq!(places, trace.frames.len());
}

#[test]
fn shapes_come_once_and_forces_in_every_frame_under_the_standard_names() {
    let trace = example::trace(5);
    let bytes = exported(&trace);
    let mut seen: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for message in mcap::MessageStream::new(&bytes).unwrap() {
        let message = message.unwrap();
        let schema = message.channel.schema.clone().unwrap();
        assert_eq!(
            (schema.encoding.as_str(), message.channel.message_encoding.as_str()),
            ("protobuf", "protobuf")
        );
        let entry = seen.entry(message.channel.topic.clone()).or_insert((0, schema.name.clone()));
        entry.0 += 1;
        if message.channel.topic == "/scene" {
            let ids: Vec<String> = fields(&message.data)
                .iter()
                .map(|(_, entity)| String::from_utf8(field(entity, 3)).unwrap())
                .collect();
            for wanted in ["foot", "shin", "ball.ball", "surface step", "holds"] {
                assert!(ids.iter().any(|id| id == wanted), "{wanted} is not in {ids:?}");
            }
        }
    }
    let named = |topic: &str, count: usize, schema: &str| (topic.to_string(), (count, schema.to_string()));
    let expected = [
        named("/forces", 5, schema::SCENE),
        named("/scene", 1, schema::SCENE),
        named("/tf", 5, schema::TRANSFORMS),
    ];
    assert_eq!(seen, expected.into_iter().collect());
}

#[test]
fn an_arrow_is_as_long_as_its_force_and_points_along_it() {
    let mut entity = Entity::new("e", WORLD, 0.0);
    let along = Vector3::new(0.3, -0.4, 1.2);
    entity.arrow(&Vector3::zeros(), &along, 0.01, PUSH);
    let arrow = field(&entity.0.0, 7);
    let number = |at: u64| f64::from_le_bytes(field(&arrow, at)[..].try_into().unwrap());
    assert!((number(2) + number(4) - along.norm()).abs() < 1e-12, "shaft and head");
    let turn = doubles(&field(&field(&arrow, 1), 2));
    let turn = unit([turn[3], turn[0], turn[1], turn[2]]);
    assert!((turn * Vector3::x() - along.normalize()).norm() < 1e-12);
}
