import { directoryPlace } from '../../../src/platform/files/open-file-place.ts';
import { openFiles, type InstallationFiles } from '../../../src/platform/files/open-files.ts';

/** The files in a data folder. */
export function filesIn(dataDir: string): InstallationFiles {
  const files = directoryPlace(dataDir, 'test');
  return openFiles({ files, reports: files }, { dataDir });
}
