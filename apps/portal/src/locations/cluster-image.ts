import type { Connectivity } from '@deviceportal/contract/states';
import type { PlaceGroup } from './place-groups.ts';

/** Colors of the connectivity states on a map, and of the background. */
export type ClusterPalette = Readonly<Record<Connectivity, string>> & {
  readonly disc: string;
  readonly outside: string;
};

export const lightClusters: ClusterPalette = {
  online: '#00802f',
  degraded: '#b35900',
  offline: '#656871',
  unknown: '#006ce0',
  never: '#b4b4bb',
  disc: '#ffffff',
  outside: '#db0000',
};

export const darkClusters: ClusterPalette = {
  online: '#2bb534',
  degraded: '#fbd332',
  offline: '#a4a4ad',
  unknown: '#42b4ff',
  never: '#656871',
  disc: '#161d26',
  outside: '#ff7a7a',
};

const SHARES = 24;
const order: readonly Connectivity[] = ['online', 'degraded', 'unknown', 'offline', 'never'];
const radii = [9, 14, 17, 20, 23, 26, 29] as const;

/**
 * The name of the image of a group, which encodes its content: size by the logarithm of the count,
 * the ring in parts of 24, and whether a device is outside. Few distinct images are drawn for any
 * number of groups.
 */
export function clusterImageName(group: PlaceGroup): string {
  const size =
    group.count === 1 ? 0 : Math.min(radii.length - 1, 1 + Math.floor(Math.log10(group.count)));
  const shares = sharesOf(group);
  return `ring-${size}-${shares.join('.')}-${group.outside > 0 ? 1 : 0}`;
}

/** Rounded so that every state with devices has a part. */
function sharesOf({ count, byConnectivity }: PlaceGroup): number[] {
  const parts = order.map((state) => {
    const devices = byConnectivity[state];
    return devices === 0 ? 0 : Math.max(1, Math.round((devices / count) * SHARES));
  });
  const most = parts.indexOf(Math.max(...parts));
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.map((part, index) => (index === most ? part + SHARES - sum : part));
}

const IMAGE = /^ring-(\d)-([\d.]+)-([01])$/;

/** Draws the image with that name. Undefined for other names. */
export function drawClusterImage(
  name: string,
  palette: ClusterPalette,
  pixelRatio: number,
): ImageData | undefined {
  const [, size = '', shares = '', outside] = IMAGE.exec(name) ?? [];
  const radius = radii[Number(size)];
  if (size === '' || radius === undefined) return undefined;
  const edge = Math.ceil((radius + 3) * 2 * pixelRatio);
  const canvas = document.createElement('canvas');
  canvas.width = edge;
  canvas.height = edge;
  // Rendered in memory, because reading each image back from the GPU delays frames.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return undefined;
  context.scale(pixelRatio, pixelRatio);
  context.translate(edge / pixelRatio / 2, edge / pixelRatio / 2);
  drawRing(context, { radius, isDot: size === '0', parts: shares.split('.').map(Number) }, palette);
  if (outside === '1') drawMark(context, radius, palette);
  return context.getImageData(0, 0, edge, edge);
}

interface Ring {
  readonly radius: number;
  /** A single device: filled, without a number. */
  readonly isDot: boolean;
  readonly parts: readonly number[];
}

function drawRing(
  context: CanvasRenderingContext2D,
  { radius, isDot, parts }: Ring,
  palette: ClusterPalette,
): void {
  fillCircle(context, radius, palette.disc);
  let from = -Math.PI / 2;
  for (const [index, part] of parts.entries()) {
    const state = order[index];
    if (part === 0 || state === undefined) continue;
    const to = from + (part / SHARES) * 2 * Math.PI;
    context.beginPath();
    context.moveTo(0, 0);
    context.arc(0, 0, radius - 1.5, from, to);
    context.closePath();
    context.fillStyle = palette[state];
    context.fill();
    from = to;
  }
  if (!isDot) fillCircle(context, radius - 6, palette.disc);
}

function fillCircle(context: CanvasRenderingContext2D, radius: number, color: string): void {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fillStyle = color;
  context.fill();
}

/** A triangle at the upper right, so that color is not the only sign. */
function drawMark(
  context: CanvasRenderingContext2D,
  radius: number,
  palette: ClusterPalette,
): void {
  const at = radius * 0.75;
  context.beginPath();
  context.moveTo(at, -at - 5);
  context.lineTo(at + 5, -at + 4);
  context.lineTo(at - 5, -at + 4);
  context.closePath();
  context.fillStyle = palette.outside;
  context.strokeStyle = palette.disc;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
}
