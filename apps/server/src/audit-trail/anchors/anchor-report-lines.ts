import type { AnchorReport } from './check-anchors.ts';
import type { PlaceReport } from './place-check.ts';

/** Names of the places that were compared, for the operator. */
export interface AnchorPlaceNames {
  readonly file: string | undefined;
  /** `s3://BUCKET/PREFIX`. */
  readonly bucket: string | undefined;
}

/** What the anchors prove. */
export function anchorNoteLines(report: AnchorReport, names: AnchorPlaceNames): string[] {
  const { stamps, unchecked, newest } = report;
  return [
    ...placesOf(report, names).flatMap(placeNotes),
    ...(stamps > 0 && newest !== null
      ? [
          `${stamps} time stamps are valid. Block ${newest.number} and all earlier blocks existed at ${newest.at.toISOString()}, according to ${newest.authority}.`,
        ]
      : []),
    ...(unchecked > 0
      ? [
          `Not checked: ${unchecked} time stamps. Set the certificates of trusted authorities with --tsa-ca FILE.`,
        ]
      : []),
  ];
}

/** One line for each fault; empty if there is none. */
export function anchorFaultLines(report: AnchorReport, names: AnchorPlaceNames): string[] {
  const { badStamp, bucket } = report;
  const changed = bucket?.changed ?? null;
  return [
    ...placesOf(report, names).flatMap(placeFaults),
    ...(changed === null
      ? []
      : [
          `Fault: ${changed} was overwritten or deleted. The first version of each object was compared.`,
        ]),
    ...(badStamp === null
      ? []
      : [`Fault at the time stamp of block ${badStamp.number}: ${badStamp.reason}.`]),
  ];
}

type NamedPlace = readonly [name: string, place: PlaceReport];

const placesOf = ({ file, bucket }: AnchorReport, names: AnchorPlaceNames): NamedPlace[] => [
  ...(file === null ? [] : [[`the anchor file ${names.file}`, file] as const]),
  ...(bucket === null ? [] : [[`the bucket ${names.bucket}`, bucket] as const]),
];

const placeNotes = ([name, { blocks, unreadable }]: NamedPlace): string[] => [
  `${blocks} blocks match ${name}.`,
  ...(unreadable > 0 ? [`Note: ${unreadable} lines of ${name} are incomplete.`] : []),
];

const placeFaults = ([name, { rewritten, lacking }]: NamedPlace): string[] => [
  ...(rewritten === null
    ? []
    : [
        `Fault: block ${rewritten} differs from its anchor in ${name}: the trail was truncated or rebuilt.`,
      ]),
  ...(lacking === null
    ? []
    : [
        `Fault: block ${lacking} is missing from ${name}: blocks were removed, or delivery has stopped.`,
      ]),
];
