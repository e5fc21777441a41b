/**
 * What users type, with the wanted first result: `person` by name, `device` by serial number, `run` a command on a device,
 * `command`, and `devices` by filters (and text).
 */
const english = `
Anna Weber | person Anna Weber
Ana Weber | person Anna Weber
weber anna | person Anna Weber
Weber, Anna | person Anna Weber
Ms. Anna Weber | person Anna Weber
Anna Webber | person Anna Weber
Anna Wbeer | person Anna Weber
Hanna Weber | person Anna Weber
anna webe | person Anna Weber
anna muller ludenscheidt | person Anna Müller-Lüdenscheidt
anna mueller-luedenscheidt | person Anna Müller-Lüdenscheidt
Anna Müller-Lüdenscheid | person Anna Müller-Lüdenscheidt
Ana Miller Lüdenscheidt | person Anna Müller-Lüdenscheidt
jurgen grossmann | person Jürgen Großmann
juergen grossmann | person Jürgen Großmann
Jürgen Grossman | person Jürgen Großmann
Großmann Jürgen | person Jürgen Großmann
jurgen grosman | person Jürgen Großmann
jorg schafer | person Jörg Schäfer
joerg schaefer | person Jörg Schäfer
Jörg Schaeffer | person Jörg Schäfer
Herr Schäfer Jörg | person Jörg Schäfer
siobhan oconnor | person Siobhan O'Connor
Siobhan O'Conner | person Siobhan O'Connor
Siobhan O’Connor | person Siobhan O'Connor
Shiobhan O'Connor | person Siobhan O'Connor
Steven Thompson | person Stephen Thompson
Stephen Thomson | person Stephen Thompson
Steven Tompson | person Stephen Thompson
stephen thompson's | person Stephen Thompson
Catherine Middleton | person Katherine Middleton
Kathrine Middelton | person Katherine Middleton
katherine m | person Katherine Middleton
francois lefevre | person François Lefèvre
Fransois Lefevre | person François Lefèvre
M. Lefèvre François | person François Lefèvre
lukasz wisniewski | person Łukasz Wiśniewski
Lucas Wisniewski | person Łukasz Wiśniewski
Lukasz Wisniewsky | person Łukasz Wiśniewski
zoe angstrom | person Zoë Ångström
Zoe Aangstroem | person Zoë Ångström
jose hernandez | person José Hernández
Jose Fernandez Hernandez | person José Hernández
Jose Hernandes | person José Hernández
maria nunez | person María Núñez
Maria Nuñes | person María Núñez
soren kjaer | person Søren Kjær
Soeren Kjaer | person Søren Kjær
dorde petrovic | person Đorđe Petrović
mohamed al hassan | person Mohammed Al Hassan
Muhammad al-Hasan | person Mohammed Al Hassan
nguyen thi huong | person Nguyễn Thị Hương
huong nguyen | person Nguyễn Thị Hương
Philip Schmidthuber | person Philipp Schmidthuber
Filip Schmitthuber | person Philipp Schmidthuber
Jeffrey Clarkson | person Geoffrey Clarkson
Jeffery Clarkson | person Geoffrey Clarkson
Wolfgang Maierhold | person Wolfgang Meierhold
Wolfgang Mayerhold | person Wolfgang Meierhold
Kristina Fischbach | person Christina Fischbach
Cristina Fishbach | person Christina Fischbach
michal kowalczyk | person Michał Kowalczyk
Michal Kovalczyk | person Michał Kowalczyk
Guiseppe Ravenna | person Giuseppe Ravenna
priya venkatraman | person Priya Venkataraman
Priya Venkataramen | person Priya Venkataraman
Yuki Takahasi | person Yuki Takahashi
Thandiwe Mokena | person Thandiwe Mokoena
Oluwaseun Adeyemy | person Oluwaseun Adeyemi
gabriela araujo | person Gabriela Araújo
sinead fitzgerald | person Sinéad Fitzgerald
Sinead Fitzgerold | person Sinéad Fitzgerald
alexander hohenberg | person Alexander von Hohenberg
Desmond Blackwod | person Desmond Blackwood
anna.weber33@example.com | person Anna Weber
anna.weber33@example.con | person Anna Weber
anna.weber33@exmaple.com | person Anna Weber
anna.weber33@example | person Anna Weber
anna.weber33@gmail.com | person Anna Weber
anna.webber33@example.com | person Anna Weber
ana.weber33@example.com | person Anna Weber
annaweber33@example.com | person Anna Weber
anna_weber33@example.com | person Anna Weber
anna.wbeer33@exampel.com | person Anna Weber
desmond.blackwood@gmial.com | person Desmond Blackwood
desmond.blackwod@gmail.com | person Desmond Blackwood
desmondblackwood@gmail.co | person Desmond Blackwood
sinead.fitzgerald@example.ie | person Sinéad Fitzgerald
siobhan.oconnor@example.uk | person Siobhan O'Connor
siobhan.oconner@example.co.uk | person Siobhan O'Connor
maria.nunez@ejemplo.com | person María Núñez
+49 151 55500001 | person Anna Weber
0151 555 00003 | person Jürgen Großmann
0044 7700 900005 | person Siobhan O'Connor
LK2DE90151 | device LK2DE90151
lk2de90151 | device LK2DE90151
SN: LK2DE90151 | device LK2DE90151
LK2DE9O151 | device LK2DE90151
LK2DE90115 | device LK2DE90151
LK2DE901511 | device LK2DE90151
TM4U590234 | device TM4US90234
locker-köln-151 | device LK2DE90151
locker-koln-151 | device LK2DE90151
locker-koeln-151 | device LK2DE90151
locker koln 151 | device LK2DE90151
locker_köln_151 | device LK2DE90151
lokcer köln 151 | device LK2DE90151
kiosk munchen 042 | device KS2DE90042
kiosk-muenchen-042 | device KS2DE90042
gateway krakow 007 | device GW1PL90007
display sao paulo 021 | device DP5BR90021
display-sao-paolo-021 | device DP5BR90021
sensor hub shanghai 088 | device SH1CN90088
terminal-new-york-234 | device TM4US90234
teminal glasgow 235 | device TM4GB90235
locker malaga 400 | device LK2ES90400
kiosk-zurich-500 | device KS2CH90500
kiosk zuerich 500 | device KS2CH90500
Empfang Zentrale | device LK2NO90800
empfang zentral | device LK2NO90800
nowa huta | device GW1PL90007
buchannan | device TM4GB90235
reboot | command restart/device
restart | command restart/device
restart device | command restart/device
power cycle | command restart/device
clean disk | command storage/clean
free space | command storage/clean
free up disk space | command storage/clean
disk usage | command storage/usage
show logs | command logs/tail
download logs | command logs/collect
factory reset | command factory-reset
roll back | command software/rollback
upgrade firmware | command software/install
ping | command network/ping
check network | command network/diagnose
kill process | command process/kill
restrat | command restart/device
restart LK2DE90151 | run restart/device LK2DE90151
reboot lk2de90151 | run restart/device LK2DE90151
reboot device LK2DE90151 | run restart/device LK2DE90151
please restart LK2DE90151 | run restart/device LK2DE90151
LK2DE90151 reboot | run restart/device LK2DE90151
restart LK2DE9O151 | run restart/device LK2DE90151
restart locker-koln-151 | run restart/device LK2DE90151
restart service on KS2DE90042 | run restart/service KS2DE90042
clean disk TM4US90234 | run storage/clean TM4US90234
free space on TM4US90234 | run storage/clean TM4US90234
logs GW1PL90007 | run logs/tail GW1PL90007
collect logs from GW1PL90007 | run logs/collect GW1PL90007
ping KS2CH90500 | run network/ping KS2CH90500
where is LK2ES90400 | run locate LK2ES90400
locate locker malaga 400 | run locate LK2ES90400
roll back DP5IT90700 | run software/rollback DP5IT90700
rebot LK2DE90151 | run restart/device LK2DE90151
offline germany | devices connectivity=offline country=DE
offline devices in Germany | devices connectivity=offline country=DE
germany offline | devices connectivity=offline country=DE
offline DE | devices connectivity=offline country=DE
offlne germany | devices connectivity=offline country=DE
offline germny | devices connectivity=offline country=DE
online poland | devices connectivity=online country=PL
never connected usa | devices connectivity=never country=US
degraded K310 france | devices connectivity=degraded country=FR model=K310
K310 degraded | devices connectivity=degraded model=K310
offline kiosk germany | devices connectivity=offline country=DE model=kiosk
offline devices uk | devices connectivity=offline country=GB
disconnected switzerland | devices connectivity=offline country=CH
suspended devices | devices lifecycle=suspended
offline 9.9.1 | devices connectivity=offline software=firmware:9.9.1
france 7.7.7 | devices country=FR software=firmware:7.7.7
offline Umeda | devices connectivity=offline label=site:Umeda
offline köln | devices connectivity=offline "köln"
offline | devices connectivity=offline
disk full italy | devices finding=disk-full country=IT
show all offline devices in Germany and France | devices connectivity=offline country=DE,FR
`;

const chinese = `
王伟强 | person 王伟强
王 伟强 | person 王伟强
wang weiqiang | person 王伟强
wang wei qiang | person 王伟强
wangweiqiang | person 王伟强
weiqiang wang | person 王伟强
王伟墙 | person 王伟强
王偉強 | person 王伟强
李娜英 | person 李娜英
li naying | person 李娜英
naying li | person 李娜英
ouyang nana | person 欧阳娜娜
欧阳 娜娜 | person 欧阳娜娜
zeng zhiwei | person 曾志伟
zengzhiwei | person 曾志伟
lv bufeng | person 吕布奉
lü bufeng | person 吕布奉
lyu bufeng | person 吕布奉
sima guangming | person 司马光明
huang xiaoyun | person 黄晓芸
黄小云 | person 黄晓芸
黄晓芸先生 | person 黄晓芸
单立文 | person 單立文
shan liwen | person 單立文
重启 | command restart/device
重新启动 | command restart/device
重启服务 | command restart/service
清理磁盘 | command storage/clean
释放空间 | command storage/clean
查看日志 | command logs/tail
收集日志 | command logs/collect
恢复出厂设置 | command factory-reset
网络诊断 | command network/diagnose
回滚 | command software/rollback
重启 LK2DE90151 | run restart/device LK2DE90151
重启LK2DE90151 | run restart/device LK2DE90151
请重启设备LK2DE90151 | run restart/device LK2DE90151
LK2DE90151 重启 | run restart/device LK2DE90151
清理磁盘 TM4US90234 | run storage/clean TM4US90234
查看日志 GW1PL90007 | run logs/tail GW1PL90007
定位 LK2ES90400 | run locate LK2ES90400
reboot 设备 KS2CH90500 | run restart/device KS2CH90500
重启 locker-köln-151 | run restart/device LK2DE90151
ＬＫ２ＤＥ９０１５１ | device LK2DE90151
离线 德国 | devices connectivity=offline country=DE
德国离线设备 | devices connectivity=offline country=DE
离线的德国设备 | devices connectivity=offline country=DE
在线 波兰 | devices connectivity=online country=PL
美国从未连接 | devices connectivity=never country=US
离线 germany | devices connectivity=offline country=DE
降级 K310 法国 | devices connectivity=degraded country=FR model=K310
法国K310降级 | devices connectivity=degraded country=FR model=K310
离线设备 | devices connectivity=offline
磁盘已满 意大利 | devices finding=disk-full country=IT
已停用 | devices lifecycle=suspended
`;

export interface WantedSearch {
  readonly text: string;
  readonly first: string;
}

const parsed = (table: string): WantedSearch[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', first = ''] = line.split(' | ');
      return { text, first };
    });

export const wantedSearches: readonly WantedSearch[] = [...parsed(english), ...parsed(chinese)];
