import { writeFileSync } from 'node:fs';

// Loaded before the command: leaves the peak of its memory, all threads included, in a file.
process.on('exit', () => {
  if (process.env.PEAK_MEMORY_FILE !== undefined)
    writeFileSync(process.env.PEAK_MEMORY_FILE, String(process.resourceUsage().maxRSS * 1024));
});
