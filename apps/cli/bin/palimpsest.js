#!/usr/bin/env node
// Checked before anything is loaded: older versions fail with messages that say nothing.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 15)) {
  process.stderr.write(`palimpsest needs Node.js 22.15 or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
} else {
  const { main } = await import('../dist/quick.js');
  // Not waited for here: Node would say in its own words that the command never comes to its end.
  void main(process.argv);
}
