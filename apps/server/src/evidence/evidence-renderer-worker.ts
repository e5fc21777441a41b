import { parentPort } from 'node:worker_threads';
import { reportWords } from '@deviceportal/contract/report-words';
import { drawPdf } from '../reports/rendering/draw-pdf.ts';
import type { DrawingQuestion } from './draw-in-thread.ts';

parentPort?.on('message', async ({ layout, paper }: DrawingQuestion) => {
  const words = reportWords(layout.language);
  const content = await drawPdf(
    {
      ...layout,
      ...{ portal: words.portal, utcWords: words.utc, zoneWords: words.zone },
      ...{ downloadWords: words.downloadPdf, pageWords: words.page },
    },
    paper,
  );
  parentPort?.postMessage(content);
});
