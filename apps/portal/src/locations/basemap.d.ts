/**
 * Written by the build (`build/prepare-basemap.ts`). Imported with `?url`, so that it is fetched
 * instead of parsed as code.
 */
declare module 'virtual:basemap/land.json?url' {
  const url: string;
  // oxlint-disable-next-line import/no-default-export
  export default url;
}

declare module 'virtual:basemap/land-fine.json?url' {
  const url: string;
  // oxlint-disable-next-line import/no-default-export
  export default url;
}

declare module 'virtual:basemap/countries.json?url' {
  const url: string;
  // oxlint-disable-next-line import/no-default-export
  export default url;
}

declare module 'virtual:basemap/countries-fine.json?url' {
  const url: string;
  // oxlint-disable-next-line import/no-default-export
  export default url;
}

declare module 'virtual:basemap/borders.json?url' {
  const url: string;
  // oxlint-disable-next-line import/no-default-export
  export default url;
}

declare module 'virtual:basemap/borders-fine.json?url' {
  const url: string;
  // oxlint-disable-next-line import/no-default-export
  export default url;
}

declare module 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url' {
  const url: string;
  // oxlint-disable-next-line import/no-default-export
  export default url;
}
