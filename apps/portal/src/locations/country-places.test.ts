import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoArea, geoContains, type GeoPermissibleObjects } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { expect, test } from 'vitest';
import { DEFAULT_SUPPORTED_COUNTRIES } from '@deviceportal/contract/constants';
import { countryPlaces } from '@deviceportal/contract/country-places';
import { countryCodeOf } from '../../build/country-codes.ts';

/** Steradians: about 20,000 km². */
const LARGE = 0.0005;
const path = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json');
const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology;
const { features } = feature(topology, topology.objects['countries'] as GeometryCollection);

test('the label point of every large country lies on its own land', () => {
  const drawn = features.filter((shape) => geoArea(shape as GeoPermissibleObjects) > LARGE);
  expect(drawn.length).toBeGreaterThan(100);
  for (const shape of drawn) {
    const code = countryCodeOf(shape);
    // Shapes without a code are skipped.
    if (code === undefined) continue;
    const [latitude = 0, longitude = 0] = countryPlaces[code] ?? [];
    expect(geoContains(shape as GeoPermissibleObjects, [longitude, latitude]), code).toBe(true);
  }
});

test('every supported country of a new installation has a place', () => {
  for (const code of DEFAULT_SUPPORTED_COUNTRIES) expect(countryPlaces[code]).toBeDefined();
});
