//! The elements of a file and all files it includes, as one tree whose nodes have their places.

mod limits;

pub(super) use limits::{DEEPEST, MOST_NODES};

use aplomb_language::diagnostic::{FileError, Source};
use aplomb_language::files::border;
use aplomb_language::visible;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// Longest chain of files that include each other.
const DEEPEST_INCLUDE: usize = 16;

/// Largest number of comments before the outermost element of an included file.
const MOST_COMMENTS: usize = 64;
/// Names of the root element of included files, which MuJoCo ignores.
const INCLUDED: [&str; 8] =
    ["mujocoinclude", "mujoco", "include", "worldbody", "body", "asset", "default", "actuator"];

/// Elements in document order; every parent precedes its children.
pub(super) struct Tree {
    elements: Vec<ElementData>,
    /// The file's text with those of included files added.
    pub source: Source,
    /// Positions of the line starts of each file, to find a line by bisection.
    line_starts: Vec<usize>,
    /// Position at which each file begins.
    file_starts: Vec<usize>,
    may_hold_text: fn(&str) -> bool,
}

struct ElementData {
    tag: String,
    parent: Option<usize>,
    children: Vec<usize>,
    attributes: Vec<AttributeData>,
    /// Position of its start tag.
    start: usize,
}

/// An attribute as written.
pub(super) struct AttributeData {
    pub name: String,
    pub value: String,
    pub span: Range<usize>,
}

/// An element of a tree.
#[derive(Clone, Copy)]
pub(super) struct XmlNode<'a> {
    tree: &'a Tree,
    index: usize,
}

impl Tree {
    /// Reads a file and the files it includes. Text is allowed only in elements whose names `may_hold_text`.
    ///
    /// # Errors
    /// A file that is not XML, too large, or cannot be included.
    pub(super) fn read(source: &Source, may_hold_text: fn(&str) -> bool) -> Result<Self, FileError> {
        let mut tree = Tree {
            elements: Vec::new(),
            source: source.clone(),
            line_starts: Vec::new(),
            file_starts: Vec::new(),
            may_hold_text,
        };
        let mut files = vec![source.path.as_deref().unwrap_or(Path::new("")).to_owned()];
        tree.add(source, 0, None, 1, &mut files)?;
        Ok(tree)
    }

    /// The outermost element.
    pub(super) fn root(&self) -> XmlNode<'_> {
        XmlNode { tree: self, index: 0 }
    }

    /// All elements, in document order.
    pub(super) fn elements(&self) -> impl Iterator<Item = XmlNode<'_>> {
        (0..self.elements.len()).map(|index| XmlNode { tree: self, index })
    }

    /// Line of a byte in its file, from 1.
    fn line(&self, at: usize) -> usize {
        let file = self.file_starts.iter().rev().find(|start| **start <= at).copied().unwrap_or(0);
        let lines_before = |at: usize| self.line_starts.partition_point(|start| *start <= at);
        lines_before(at) - lines_before(file) + 1
    }

    /// Adds the elements of a text whose bytes are numbered from `offset`: its root element, or with a
    /// `parent` the root's content.
    fn add(
        &mut self,
        text: &Source,
        offset: usize,
        parent: Option<usize>,
        depth: usize,
        files: &mut Vec<PathBuf>,
    ) -> Result<(), FileError> {
        limits::check(text)?;
        self.file_starts.push(offset);
        self.line_starts.push(offset);
        let breaks = text.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        self.line_starts.extend(breaks.map(|(at, _)| offset + at + 1));
        let options = roxmltree::ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES };
        // Some programs end files as strings of C end.
        let read = text.text.trim_end_matches(|end: char| end == '\0' || end.is_whitespace());
        let document =
            roxmltree::Document::parse_with_options(read, options).map_err(|error| not_xml(text, &error))?;
        let root = document.root_element();
        // A walk without recursion, so that no depth of nesting can exhaust the stack.
        let mut waiting: Vec<(roxmltree::Node, Option<usize>, usize)> = match parent {
            None => vec![(root, None, depth)],
            Some(_) => root.children().rev().map(|node| (node, parent, depth)).collect(),
        };
        while let Some((node, parent, depth)) = waiting.pop() {
            if !node.is_element() {
                self.refuse_text(node, text)?;
                continue;
            }
            if depth > DEEPEST {
                let start = node.range().start;
                let span = start..start + 1 + node.tag_name().name().len();
                let message = format!("elements are nested more than {DEEPEST} deep");
                return Err(FileError::new(text, span, message));
            }
            if node.tag_name().name() == "include" && parent.is_some() {
                self.include(node, text, parent, depth, files)?;
                continue;
            }
            let index = self.push(node, parent, offset);
            if self.elements.len() > MOST_NODES as usize {
                return Err(FileError::new(text, 0..0, format!("more than {MOST_NODES} elements")));
            }
            waiting.extend(node.children().rev().map(|child| (child, Some(index), depth + 1)));
        }
        Ok(())
    }

    fn push(&mut self, node: roxmltree::Node, parent: Option<usize>, offset: usize) -> usize {
        let namespaced = |tag: roxmltree::ExpandedName| match tag.namespace() {
            None => tag.name().to_string(),
            // MJCF has no namespaces, so no rule applies to this name.
            Some(namespace) => format!("{namespace}:{}", tag.name()),
        };
        let attributes = node.attributes().map(|attribute| AttributeData {
            name: match attribute.namespace() {
                None => attribute.name().to_string(),
                Some(namespace) => format!("{namespace}:{}", attribute.name()),
            },
            value: in_one_line(attribute.value()),
            span: attribute.range().start + offset..attribute.range().end + offset,
        });
        let index = self.elements.len();
        self.elements.push(ElementData {
            tag: namespaced(node.tag_name()),
            parent,
            children: Vec::new(),
            attributes: attributes.collect(),
            start: node.range().start + offset,
        });
        if let Some(parent) = parent {
            self.elements[parent].children.push(index);
        }
        index
    }

    /// Replaces an `<include>` by the content of the file.
    fn include(
        &mut self,
        node: roxmltree::Node,
        text: &Source,
        parent: Option<usize>,
        depth: usize,
        files: &mut Vec<PathBuf>,
    ) -> Result<(), FileError> {
        let start = node.range().start;
        let on_tag = |message: &str| FileError::new(text, start..start + "<include".len(), message);
        let Some(attribute) = node.attribute_node("file") else {
            return Err(on_tag("<include> needs the attribute `file`"));
        };
        let wrong = |message: String| FileError::new(text, attribute.range(), message);
        let Some(main) = &self.source.path else {
            return Err(wrong(format!(
                "`{}` cannot be included: this text was not read from a file",
                attribute.value()
            ))
            .help("put the included file's text here"));
        };
        if files.len() > DEEPEST_INCLUDE {
            return Err(wrong(format!("more than {DEEPEST_INCLUDE} files include each other")));
        }
        // MuJoCo resolves names from the folder of the root file; files that can be opened on their own
        // resolve them from their own folder.
        let from = |file: &Path| file.parent().unwrap_or(Path::new("")).join(attribute.value().trim());
        let places = [from(main), files.last().map(|file| from(file)).unwrap_or_default()];
        let found = places.iter().find(|place| place.is_file()).unwrap_or(&places[0]);
        if files.contains(found) {
            return Err(wrong(format!("`{}` includes itself", attribute.value())));
        }
        let beside = found.strip_prefix(main.parent().unwrap_or(Path::new(""))).ok();
        if !beside.is_some_and(stays_inside) {
            let message = format!("`{}` is outside of the folder of this body", attribute.value());
            return Err(wrong(message).help("what a body includes is in its own folder or in one of that"));
        }
        let content = read_included(found, attribute.value(), wrong)?;
        let name = found.display().to_string();
        let included = Source::new(&name, &content);
        let offset = self.source.overlay(&name, &content);
        files.push(found.clone());
        self.add(&included, offset, parent, depth, files)?;
        files.pop();
        Ok(())
    }

    /// Rejects text between elements.
    fn refuse_text(&self, node: roxmltree::Node, text: &Source) -> Result<(), FileError> {
        let content = node.text().filter(|_| node.is_text()).unwrap_or_default();
        if content.trim().is_empty()
            || node.ancestors().any(|outer| (self.may_hold_text)(outer.tag_name().name()))
        {
            return Ok(());
        }
        let start = node.range().start + content.len() - content.trim_start().len();
        let error = FileError::new(text, start..start + 1, "text between elements");
        Err(error.help("MJCF says everything in attributes"))
    }
}

/// The text of an included file. The content of another kind of file is never shown, so that no model file
/// reveals other files on the disk.
fn read_included(found: &Path, name: &str, wrong: impl Fn(String) -> FileError) -> Result<String, FileError> {
    let content =
        border::bytes(found).map_err(|error| wrong(format!("cannot read `{}`: {error}", found.display())))?;
    String::from_utf8(content).ok().filter(|content| is_mjcf(content)).ok_or_else(|| {
        wrong(format!("`{name}` is no MJCF file"))
            .help("the outermost element of an included file is <mujocoinclude> or <mujoco>")
    })
}

impl<'a> XmlNode<'a> {
    fn data(self) -> &'a ElementData {
        &self.tree.elements[self.index]
    }

    /// Name of the element.
    pub(super) fn tag(self) -> &'a str {
        &self.data().tag
    }

    /// Position of its start tag.
    pub(super) fn start(self) -> usize {
        self.data().start
    }

    /// The text that contains it.
    pub(super) fn source(self) -> &'a Source {
        &self.tree.source
    }

    /// Its line in its file, from 1.
    pub(super) fn line(self) -> usize {
        self.tree.line(self.start())
    }

    /// All attributes, as written.
    pub(super) fn attributes(self) -> &'a [AttributeData] {
        &self.data().attributes
    }

    /// The attribute of this name.
    pub(super) fn attribute(self, name: &str) -> Option<&'a AttributeData> {
        self.attributes().iter().find(|attribute| attribute.name == name)
    }

    /// The parent element.
    pub(super) fn parent(self) -> Option<XmlNode<'a>> {
        self.data().parent.map(|index| XmlNode { tree: self.tree, index })
    }

    /// The child elements.
    pub(super) fn children(self) -> impl DoubleEndedIterator<Item = XmlNode<'a>> {
        self.data().children.iter().map(move |&index| XmlNode { tree: self.tree, index })
    }

    /// The element and its descendants, in document order.
    pub(super) fn descendants(self) -> impl Iterator<Item = XmlNode<'a>> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let node = waiting.pop()?;
            waiting.extend(node.children().rev());
            Some(node)
        })
    }
}

/// The value of an attribute with control characters replaced by visible ones, except between numbers.
fn in_one_line(value: &str) -> String {
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    match value.chars().any(char::is_control) && !value.split_whitespace().all(is_number) {
        true => visible::name(value.trim()),
        false => value.to_string(),
    }
}

/// Whether a relative path stays in its folder, judged by its components alone.
fn stays_inside(path: &Path) -> bool {
    let mut depth = 0_usize;
    path.components().all(|part| match part {
        Component::CurDir => true,
        Component::Normal(_) => {
            depth += 1;
            true
        }
        Component::ParentDir if depth > 0 => {
            depth -= 1;
            true
        }
        _ => false,
    })
}

/// Whether the root element of a text is one of MJCF.
fn is_mjcf(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    for (open, close) in [("<?", "?>"), ("<!--", "-->")].iter().cycle().take(2 * MOST_COMMENTS) {
        if let Some(inside) = rest.strip_prefix(open) {
            let Some((_, after)) = inside.split_once(close) else { return false };
            rest = after.trim_start();
        }
    }
    let name = rest.strip_prefix('<').and_then(|tag| tag.split(|c: char| !c.is_alphanumeric()).next());
    name.is_some_and(|name| INCLUDED.contains(&name))
}

/// The error of a file that the XML parser rejects.
fn not_xml(source: &Source, error: &roxmltree::Error) -> FileError {
    let start = match error {
        roxmltree::Error::UnexpectedEndOfStream
        | roxmltree::Error::NoRootNode
        | roxmltree::Error::UnclosedRootNode => source.text.len(),
        roxmltree::Error::DtdDetected => source.text.find("<!DOCTYPE").unwrap_or(0),
        _ => offset(&source.text, error.pos()),
    };
    let text = match error {
        roxmltree::Error::DtdDetected => "document type declarations are not allowed".to_string(),
        roxmltree::Error::NodesLimitReached => format!("more than {MOST_NODES} elements"),
        roxmltree::Error::UnclosedRootNode => "the outermost element is never closed".to_string(),
        // The parser's message repeats the place, which precedes the message anyway.
        _ => error.to_string().replace(&format!(" at {}", error.pos()), ""),
    };
    let text: String = text.chars().take(200).collect();
    FileError::new(source, start..start + 1, format!("not well-formed XML: {text}"))
}

/// The byte at a row and column (from 1).
fn offset(text: &str, place: roxmltree::TextPos) -> usize {
    let before = text.split_inclusive('\n').take((place.row as usize).saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let line = text[start..].split('\n').next().unwrap_or_default();
    start + line.char_indices().nth((place.col as usize).saturating_sub(1)).map_or(line.len(), |(at, _)| at)
}
