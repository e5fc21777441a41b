import { parentPort, workerData } from 'node:worker_threads';
import { createRenderings } from './create-renderings.ts';

parentPort?.postMessage(await createRenderings(workerData as Uint8Array));
