import { loadAws } from '../aws/load-aws.ts';
import type { S3FilesConfig } from '../config/config.ts';
import { ConcurrencyLimit } from '../growth-limits/concurrency-limit.ts';
import { withSafeKeys } from './file-key.ts';
import type { FilePlace } from './file-place.ts';
import { UPLOAD_PART_BYTES, type FileStore, type FileUpload } from './file-store.ts';
import { nameOfFilePlace } from './name-of-file-place.ts';
import { asFileError } from './s3-error.ts';

/** Each stored file or part is held in memory up to twice `UPLOAD_PART_BYTES`. */
const transfers = new ConcurrencyLimit({ each: 4, all: 64, waiting: 1_000, maxWaitMs: 60_000 });

/**
 * A folder of a bucket in S3, or in a store with its API.
 * @param setting the environment variable that names it
 * @throws StartError if the package of its client is not installed
 */
export async function openS3Place(config: S3FilesConfig, setting: string): Promise<FilePlace> {
  const { bucket, prefix, region, endpoint } = config;
  const { createS3Files } = await loadAws('s3-files', setting);
  const filesIn = createS3Files({ bucket, region, endpoint, partBytes: UPLOAD_PART_BYTES });
  return {
    name: nameOfFilePlace(config),
    setting,
    open: (folder, layout = 'flat') =>
      withSafeKeys(
        withFileErrors(filesIn([...prefix, ...folder].join('/'))),
        layout === 'nested' ? 'nested' : 'flat',
      ),
  };
}

/** A store whose outages are errors of the catalog, and whose transfers are limited. */
function withFileErrors(store: FileStore): FileStore {
  return {
    put: (key, content, options) =>
      transfers.run(key, () => store.put(key, content, options)).catch(rethrow),
    open: (key, range) => store.open(key, range).catch(rethrow),
    find: (key) => store.find(key).catch(rethrow),
    async *list(prefix) {
      try {
        yield* store.list(prefix);
      } catch (error) {
        throw asFileError(error);
      }
    },
    remove: (key) => store.remove(key).catch(rethrow),
    beginUpload: (key, bytes) => uploadWithErrors(key, store.beginUpload(key, bytes)),
    removeUnfinished: (which) => store.removeUnfinished(which).catch(rethrow),
  };
}

const uploadWithErrors = (key: string, upload: FileUpload): FileUpload => ({
  storedBytes: () => upload.storedBytes().catch(rethrow),
  putPart: (start, content) =>
    transfers.run(key, () => upload.putPart(start, content)).catch(rethrow),
  finish: () => upload.finish().catch(rethrow),
  abort: () => upload.abort().catch(rethrow),
});

function rethrow(error: unknown): never {
  throw asFileError(error);
}
