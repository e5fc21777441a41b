import { parentPort, workerData } from 'node:worker_threads';
import type { ReportToRender } from './render-report.ts';
import { writeRenderings } from './write-renderings.ts';

parentPort?.postMessage(await writeRenderings(workerData as ReportToRender));
