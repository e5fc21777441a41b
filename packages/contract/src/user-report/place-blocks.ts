import { momentWords } from './moment-words.ts';
import type { ReportBlock } from './report-blocks.ts';
import { reportWords } from './report-words.ts';
import type { UserReportDocument } from './user-report-document.ts';

const SHOWN = 100;

/** A small still map, and the same as a table. */
export function placeBlocks(report: UserReportDocument): ReportBlock[] {
  const words = reportWords(report.language);
  const { places, map } = report;
  const { column } = words;
  if (places.length === 0) return [{ kind: 'text', text: words.none.places }];
  const blocks: ReportBlock[] = [];
  if (map !== null) {
    blocks.push({ kind: 'map', words: words.mapWords(map.points.length), map });
  }
  if (places.some(({ precise }) => !precise)) blocks.push({ kind: 'text', text: words.rounded });
  blocks.push({
    kind: 'table',
    label: words.sections.locations,
    headers: [column.time, column.device, column.place, column.accuracy, column.source],
    widths: [2, 2, 2.2, 1.2, 1],
    rows: places
      .slice(0, SHOWN)
      .map((place) => [
        { text: momentWords(place.at) },
        { text: place.device, reference: { kind: 'device', id: place.deviceId } },
        { text: placeWords(place) },
        { text: `${Math.round(place.accuracyMeters)} m` },
        { text: place.source },
      ]),
  });
  if (places.length > SHOWN) {
    blocks.push({ kind: 'text', text: words.newestOf(SHOWN, places.length) });
  }
  return blocks;
}

function placeWords(place: UserReportDocument['places'][number]): string {
  const digits = place.precise ? 5 : 1;
  return `${place.latitude.toFixed(digits)}, ${place.longitude.toFixed(digits)}`;
}
