import {
  colorChartsPaletteCategorical2,
  colorChartsPaletteCategorical3,
  colorChartsPaletteCategorical4,
} from '@cloudscape-design/design-tokens';
import type { MarkKind } from './use-metric-marks.ts';

export const markColors: Readonly<Record<MarkKind, string>> = {
  command: colorChartsPaletteCategorical2,
  event: colorChartsPaletteCategorical3,
  version: colorChartsPaletteCategorical4,
};
