import type {
  DeviceDraft,
  FleetDescription,
} from '../../../src/devices/enrollment/create-devices.ts';

/** People as `name | email | phone | country`; the username is the local part of the email. */
const people = `
Anna Weber | anna.weber33@example.com | +4915155500001 | DE
Anna Müller-Lüdenscheidt | anna.mueller@example.com | +4915155500002 | DE
Jürgen Großmann | juergen.grossmann@example.de | +4915155500003 | DE
Jörg Schäfer | joerg.schaefer@beispiel.de | +4915155500004 | DE
Siobhan O'Connor | siobhan.oconnor@example.co.uk | +447700900005 | GB
Stephen Thompson | s.thompson@contoso.example | +447700900006 | GB
Katherine Middleton | kate.middleton@example.co.uk | +447700900007 | GB
François Lefèvre | francois.lefevre@exemple.fr | +33655500008 | FR
Łukasz Wiśniewski | lukasz.wisniewski@przyklad.pl | +48655500009 | PL
Zoë Ångström | zoe.angstrom@example.se | +46705550010 | SE
José Hernández | jose.hernandez@ejemplo.es | +34655500011 | ES
María Núñez | maria.nunez@ejemplo.es | +34655500012 | ES
Søren Kjær | soren.kjaer@eksempel.dk | +4555500013 | DK
Đorđe Petrović | djordje.petrovic@example.rs | +38165550014 | RS
Mohammed Al Hassan | m.alhassan@example.ae | +97150550015 | AE
Nguyễn Thị Hương | huong.nguyen@example.vn | +8490550016 | VN
Philipp Schmidthuber | philipp.schmidthuber@example.at | +43664550017 | AT
Geoffrey Clarkson | geoff.clarkson@example.com | +12025550018 | US
Wolfgang Meierhold | w.meierhold@example.de | +4915155500019 | DE
Christina Fischbach | christina.fischbach@example.ch | +4179550020 | CH
Michał Kowalczyk | michal.kowalczyk@przyklad.pl | +48655500021 | PL
Giuseppe Ravenna | giuseppe.ravenna@esempio.it | +39320550022 | IT
Priya Venkataraman | priya.v@example.in | +9198555500023 | IN
Yuki Takahashi | yuki.takahashi@rei.example.jp | +8190555500024 | JP
Thandiwe Mokoena | thandiwe.mokoena@example.co.za | +2782550025 | ZA
Oluwaseun Adeyemi | seun.adeyemi@example.ng | +2348035550026 | NG
Gabriela Araújo | gabi.araujo@exemplo.com.br | +5511955500027 | BR
Sinéad Fitzgerald | sinead_fitzgerald@example.ie | +353855500028 | IE
Alexander von Hohenberg | a.hohenberg@example.at | +43664550029 | AT
Desmond Blackwood | desmond.blackwood@gmail.com | +14155550030 | US
王伟强 | w1001@example.cn | +8613800000031 | CN
李娜英 | w1002@example.cn | +8613800000032 | CN
欧阳娜娜 | w1003@example.cn | +8613800000033 | CN
曾志伟 | w1004@example.cn | +8613800000034 | CN
吕布奉 | w1005@example.cn | +8613800000035 | CN
司马光明 | w1006@example.cn | +8613800000036 | CN
黄晓芸 | w1007@example.cn | +8613800000037 | CN
單立文 | w1008@example.hk | +85291230038 | HK
`;

/** Devices as `serial number | name | model | country | label site | owner | version`. */
const devices = `
LK2DE90151 | locker-köln-151 | L240 | DE | Köln Hbf | anna.weber33 | 4.2.1
LK2DE90152 | locker-köln-152 | L240 | DE | Köln Hbf | joerg.schaefer | 4.2.0
KS2DE90042 | kiosk-münchen-042 | K200 | DE | München Ost | juergen.grossmann | 4.2.1
KS3FR90310 | kiosk-paris-310 | K310 | FR | Gare de Lyon | francois.lefevre | 7.7.7
KS3FR90311 | kiosk-lyon-311 | K310 | FR | Part-Dieu | francois.lefevre | 7.7.7
GW1PL90007 | gateway-kraków-007 | G100 | PL | Nowa Huta | lukasz.wisniewski | 3.9.8
DP5BR90021 | display-são-paulo-021 | D55 | BR | Congonhas | gabi.araujo | 3.9.8
SH1CN90088 | sensor-hub-shanghai-088 | S12 | CN | Pudong | w1001 | 3.9.8
TM4US90234 | terminal-new-york-234 | T410 | US | Penn Station | desmond.blackwood | 4.1.3
TM4GB90235 | terminal-glasgow-235 | T410 | GB | Buchanan | siobhan.oconnor | 4.1.3
LK2ES90400 | locker-málaga-400 | L240 | ES | Alameda | maria.nunez | 4.1.3
KS2CH90500 | kiosk-zürich-500 | K200 | CH | Hauptbahnhof | christina.fischbach | 4.1.3
GW1JP90600 | gateway-osaka-600 | G100 | JP | Umeda | yuki.takahashi | 4.1.3
DP5IT90700 | display-torino-700 | D55 | IT | Porta Nuova | giuseppe.ravenna | 4.1.3
LK2NO90800 | Empfang Zentrale | L240 | NO | Reception | zoe.angstrom | 9.9.1
`;

const rowsOf = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' | '));

export const usernameOf = (email: string): string => email.split('@')[0] ?? '';

/** The people and devices that the wanted searches mean, among others that are similar. */
export function wantedFleet(): FleetDescription {
  return {
    people: rowsOf(people).map(([name = '', email = '', phone = '', country = '']) => ({
      ...{ username: usernameOf(email), name, email, phone, country, language: 'en' },
    })),
    devices: rowsOf(devices).map(
      ([
        serialNumber = '',
        name = '',
        model = '',
        country = '',
        site = '',
        owner = '',
        version = '',
      ]): DeviceDraft => ({
        ...{ serialNumber, name, model, country, owner, labels: { site, batch: `b-${version}` } },
        lifecycle: 'active',
        software: [{ component: 'firmware', version }],
      }),
    ),
  };
}

/** Devices that are not offline, by serial number. */
export const wantedStates: Readonly<Record<string, 'online' | 'degraded'>> = {
  LK2DE90151: 'online',
  KS3FR90310: 'degraded',
};
