import type { FileObstacle } from '@deviceportal/contract/device-files';

/** A request that this device does not carry out. */
export class FileRefused extends Error {
  readonly obstacle: FileObstacle;

  constructor(obstacle: FileObstacle) {
    super(obstacle);
    this.name = 'FileRefused';
    this.obstacle = obstacle;
  }
}

const obstacles: Readonly<Record<string, FileObstacle>> = {
  ENOENT: 'not-found',
  ELOOP: 'not-found',
  ENOTDIR: 'not-a-folder',
  EISDIR: 'not-a-file',
  ENAMETOOLONG: 'name',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'read-only',
  EEXIST: 'exists',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EFBIG: 'too-large',
};

/** What an error of the system means for a request. */
export function obstacleOf(error: unknown): FileObstacle {
  if (error instanceof FileRefused) return error.obstacle;
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  return obstacles[code] ?? 'failed';
}
