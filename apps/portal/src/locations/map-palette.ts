export interface MapPalette {
  readonly isDark: boolean;
  readonly sea: string;
  readonly land: string;
  readonly coast: string;
  /** Land of supported countries. */
  readonly supported: string;
  readonly border: string;
  readonly name: string;
  readonly hatch: string;
  readonly online: string;
  readonly away: string;
  readonly outline: string;
  readonly text: string;
  readonly track: string;
}

export const lightPalette: MapPalette = {
  isDark: false,
  sea: '#eef3f8',
  land: '#d5dde6',
  coast: '#aab7c6',
  supported: '#cfe6d6',
  border: '#8896a8',
  name: '#414d5c',
  hatch: '#c25b5b',
  online: '#00802f',
  away: '#656871',
  outline: '#ffffff',
  text: '#ffffff',
  track: '#006ce0',
};

export const darkPalette: MapPalette = {
  isDark: true,
  sea: '#0f1b2a',
  land: '#2b3a4d',
  coast: '#495b72',
  supported: '#24503f',
  border: '#62758f',
  name: '#c6c6cd',
  hatch: '#d0736f',
  online: '#2bb534',
  away: '#a4a4ad',
  outline: '#0f141a',
  text: '#0f141a',
  track: '#75cfff',
};
