import { countryWords } from '../../locations/country-words.ts';
import { hiddenWords } from './hidden-words.ts';
import type { MomentWords } from './moment-words.ts';
import type { ReportBlock } from './report-blocks.ts';
import { reportWords } from './report-words.ts';
import type { ReportWords } from './report-vocabulary.ts';
import type { ReportLanguage } from '../report-options.ts';
import type { ReportPlace, UserReportDocument } from './user-report-document.ts';

const SHOWN = 100;

/** A small static map, and the same data as a table. */
export function placeBlocks(report: UserReportDocument, moment: MomentWords): ReportBlock[] {
  const words = reportWords(report.language);
  const { places, map } = report;
  const { column } = words;
  const degrees = roundedDegrees(report);
  if (places.length === 0) {
    const isHidden = report.redaction?.place === 'none';
    const text = isHidden ? hiddenWords[report.language] : words.none.places;
    return [{ kind: 'text', text }];
  }
  const blocks: ReportBlock[] = [];
  if (map !== null) {
    blocks.push({ kind: 'map', words: words.mapWords(map.points.length), map });
  }
  if (places.some(({ precise }) => !precise)) {
    blocks.push({ kind: 'text', text: words.rounded(degrees) });
  }
  if (places.some(isCountryOnly)) blocks.push({ kind: 'text', text: words.countryOnly });
  blocks.push({
    kind: 'table',
    label: words.sections.locations,
    headers: [column.time, column.device, column.place, column.accuracy, column.source],
    widths: [2, 2, 2.2, 1.2, 1],
    rows: places
      .slice(0, SHOWN)
      .map((place) => [
        { text: moment(place.at) },
        { text: place.device, reference: { kind: 'device', id: place.deviceId } },
        { text: placeWords(place, degrees, report.language) },
        { text: distanceWords(place.accuracyMeters, words.distanceUnits) },
        { text: words.placeSource[place.source] ?? place.source },
      ]),
  });
  if (places.length > SHOWN) {
    blocks.push({ kind: 'text', text: words.newestOf(SHOWN, places.length) });
  }
  return blocks;
}

const roundedDegrees = ({ gaps }: UserReportDocument): number =>
  Number(gaps.find(({ code }) => code === 'rounded-places')?.facts['degrees'] ?? 0.1);

const distanceWords = (meters: number, units: ReportWords['distanceUnits']): string =>
  meters < 10_000
    ? `${Math.round(meters)} ${units.m}`
    : `${Math.round(meters / 1_000)} ${units.km}`;

const isCountryOnly = ({ source }: ReportPlace): boolean => source === 'address';

function placeWords(place: ReportPlace, degrees: number, language: ReportLanguage): string {
  if (isCountryOnly(place) && place.country !== null) {
    return reportWords(language).somewhereIn(countryWords(place.country, language));
  }
  const digits = place.precise ? 5 : degrees >= 1 ? 0 : 1;
  return `${place.latitude.toFixed(digits)}, ${place.longitude.toFixed(digits)}`;
}
