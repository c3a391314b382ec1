// The order of the pages. A file of docs/ that is missing here fails the build.

export const SCHEMAS = ['scene', 'controller', 'plot'];

/** Chapters: their titles, and the files of the repository that are their pages. */
export const CHAPTERS = [
  ['Guide', [
    'README.md',
    ...['first-controller', 'drive', 'why-did-it-fall', 'wall', 'fall', 'body', 'push-to-test', 'embedding']
      .map((name) => `docs/tutorials/${name}.md`),
  ]],
  ['Use', ['what-ships', 'motion', 'bodies', 'view', 'web', 'editors', 'python', 'pushbench']
    .map((name) => `docs/${name}.md`)],
  ['Evaluate', ['output', 'summary', 'audit', 'sweep', 'trials', 'tune', 'measured'].map((name) => `docs/${name}.md`)],
  ['Reference', ['files', 'units-and-frames', 'mjcf-subset', 'formulation', 'passive-methods']
    .map((name) => `docs/${name}.md`)],
  ['Project', ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md']],
];
