/**
 * Pages of what others made of TBDev, cell by cell as their templates write them. Sources: yunasc/tbdev at 7f757ec3 (2022:
 * `themes/TBDev/stdhead.php`, `userdetails.php`, `include/functions_torrenttable.php`, `languages/lang_russian`) and
 * Bigjoos/U-232-V5 at e66e3b8b (2021: `templates/1/template.php`, `blocks/userdetails`, `include/torrenttable_functions.php`,
 * `lang/1`, `lang/2`). Names of elements, labels and the order of cells are theirs; everything else is made here.
 */
import {
  type FamilyAccount,
  type FamilyPages,
  type FamilyTorrent,
  fixed,
  ratioOf,
  thousandSize,
  whole,
} from './page-families.ts'

const inLines = (bytes: number) => thousandSize(bytes).replace(' ', '<br />')
const ratioIn = (account: FamilyAccount) => (account.downloadedBytes > 0 ? fixed(ratioOf(account), 3) : 'Inf.')

const seedRows = (seeds: readonly FamilyTorrent[]) =>
  seeds
    .map(
      ({ id, name, category, sizeBytes, seeders, leechers }) =>
        `<tr><td style="padding: 0px"><img src="pic/cats/x.gif" alt="${category}" title="${category}" /></td><td><a href="details.php?id=${id}&amp;hit=1"><b>${name}</b></a></td><td align="center">${inLines(sizeBytes)}</td><td align="right">${seeders}</td><td align="right">${leechers}</td><td align="center">1.50<br />GB</td><td align="center">750.00<br />MB</td><td align="center"><font color="#ffffff">2.000</font></td></tr>`,
    )
    .join('\n')

/** Seven messages lie there, or none at all. The place of what was sent stands beside. */
const yunaMail = ({ unread }: FamilyAccount) => {
  const sent =
    '<span class=smallfont>&nbsp;&nbsp;<a href=message.php?action=viewmailbox&box=-1><img height=16px style=border:none alt=Отправленые title=Отправленые src=pic/pn_sentbox.gif></a> 3</span>'
  const name = unread > 0 ? 'pn_inboxnew' : 'pn_inbox'
  const picture = `<img height="16px" style="border:none" alt="inbox" title="${unread > 0 ? 'Есть новые сообщения' : 'Нет новых сообщений'}" src="pic/${name}.gif">`
  const none = '<img height=16px style=border:none alt=Полученные title=Полученные src=pic/pn_inbox.gif></a> 0</span>'
  const inbox = unread === 0 ? none : `${picture}</a> 7 (${unread} новых)</span>`
  return `<span class=smallfont><a href=message.php>${inbox}${sent}`
}

const yunaFrame = (account: FamilyAccount, body: string) => `<!DOCTYPE html><html><head><title>site</title></head><body>
<table width="90%"><tr><td align="center" class="topnav">&nbsp;<a href="https://site.example/">Главная</a>&nbsp;&#8226;&nbsp;<a href="browse.php">Торренты</a></td></tr></table>
<table align="center" cellpadding="4" style="width:90%"><tr><td class="tablea"><table align="center" style="width:100%"><tr><td class="bottom" align="left"><span class="smallfont">С возвращением, <b><a
	href="userdetails.php?id=${account.id}"><span style="color:#000000">${account.name}</span></a></b>
 &nbsp; [<a href="bookmarks.php">Закладки</a>] [<a href="mybonus.php">Мой бонус</a>] [<a href="logout.php">Выйти</a>]<br/>
<font color=1900D1>Рейтинг:</font> ${ratioIn(account)}&nbsp;&nbsp;<font color=green>Раздал:</font> <font color=black>${thousandSize(account.uploadedBytes)}</font>&nbsp;&nbsp;<font
	color=darkred>Скачал:</font> <font color=black>${thousandSize(account.downloadedBytes)}</font>&nbsp;&nbsp;<font
	color=darkblue>Бонус:</font> <a href="mybonus.php" class="online"><font color=black>${account.bonus}</font></a>&nbsp;&nbsp;<font color="1900D1">Торренты:&nbsp;</font></span>
<img alt="Сидирует" title="Сидирует" src="./themes/TBDev/images/arrowup.gif">&nbsp;<font color="black"><span class="smallfont">${account.seeds.length}</span></font>&nbsp;&nbsp;<img alt="Качает" title="Качает" src="./themes/TBDev/images/arrowdown.gif">&nbsp;<font color="black"><span class="smallfont">0</span></font></td>
<td class="bottom" align="right"><span class="smallfont">Время: <span id="clock">...</span>
<script type="text/javascript">function refrClock(){var d=new Date();var s=d.getSeconds();document.getElementById("clock").innerHTML=s;setTimeout("refrClock()",1000);}refrClock();</script>
${yunaMail(account)}&nbsp;<a href=friends.php><img style=border:none alt=Друзья title=Друзья src=pic/buddylist.gif></a></span></td></tr></table></td></tr></table>
${body}</body></html>`

const sortedBy = (key: number, word: string) =>
  `<a href="browse.php?sort=${key}&type=desc" class="altlink_white">${word}</a>`

/** In Russian alone. Its list has a title above its heads, and seeders and leechers in one column. */
export const yuna: FamilyPages = {
  home: (account) => yunaFrame(account, '<table><tr><td>Новости</td></tr></table>'),
  details: (account) =>
    yunaFrame(
      account,
      `<h1>${account.name}</h1><table width="100%" border="1"><tr><td class=rowhead width=1%>Зарегистрирован</td><td align=left width=99%>5 октября 2020</td></tr>
<tr><td class=rowhead>Последний раз был на трекере</td><td align=left>20 ноября 2026</td></tr>
<tr><td class=rowhead>Раздал</td><td align=left>${thousandSize(account.uploadedBytes)}</td></tr>
<tr><td class=rowhead>Скачал</td><td align=left>${thousandSize(account.downloadedBytes)}</td></tr>
<tr><td class="rowhead">Приглашений</td><td align=left><a href="invite.php?id=${account.id}">3</a></td></tr>
<tr><td class="rowhead" style="vertical-align: middle">Рейтинг</td><td align="left" valign="center"><table border="0"><tr><td class="embedded"><font color="#000000">${ratioIn(account)}</font></td><td class="embedded">&nbsp;&nbsp;<img src="pic/smilies/w00t.gif"></td></tr></table></td></tr>
<tr><td class="rowhead">Класс</td><td align="left"><b><span style="color:#000000" title="${account.level}">${account.level}</span></b></td></tr>
<tr><td class="rowhead">Респектов</td><td align="left">17</td></tr><tr><td class="rowhead">Комментариев</td><td align="left">12</td></tr>
${account.seeds.length === 0 ? '' : `<tr valign="top"><td class="rowhead">Сейчас&nbsp;раздает</td><td align="left"><a href="javascript: show_hide('s2')"><img border="0" src="pic/plus.gif" id="pics2"></a><div id="ss2" style="display: none;"><table class="main" border="1"><tr><td class="colhead" align="left">Тип</td><td class="colhead">Название</td><td class="colhead" align="center">Размер</td><td class="colhead" align="right">Раздают</td><td class="colhead" align="right">Качают</td><td class="colhead" align="center">Раздал</td><td class="colhead" align="center">Скачал</td><td class="colhead" align="center">Рейтинг</td></tr>${seedRows(account.seeds)}</table></div></td></tr>`}</table>`,
    ),
  list: (account, torrents) =>
    yunaFrame(
      account,
      torrents.length === 0
        ? '<div>Nothing found</div>'
        : `<table class="embedded" cellspacing="0" cellpadding="3" width="100%"><tr><td class="colhead" align="center" colspan="12">Список торрентов</td></tr><tr><td class="index" colspan="12">1 - 15</td></tr>
<tr><td class="colhead" align="center">Тип</td><td class="colhead" align="left">${sortedBy(1, 'Название')} / ${sortedBy(4, 'Добавлен')}</td><td class="colhead" align="center">${sortedBy(2, 'Файлов')}</td><td class="colhead" align="center">${sortedBy(3, 'Комм.')}</td><td class="colhead" align="center">TTL</td><td class="colhead" align="center">${sortedBy(5, 'Размер')}</td><td class="colhead" align="center">${sortedBy(7, 'Сид')}|${sortedBy(8, 'Лич')}</td><td class="colhead" align="center">${sortedBy(9, 'Раздающий')}</td></tr><tbody id="highlighted">
${torrents
  .map(
    ({ id, name, category, sizeBytes, seeders, leechers, free, doubled }) => `<tr>
<td align="center" style="padding: 0px"><a href="browse.php?cat=5"><img border="0" src="pic/cats/x.gif" alt="${category}" /></a></td>
<td align="left"><a href="details.php?id=${id}&amp;hit=1"><b>${name}</b></a> ${free ? '<img src="pic/freedownload.gif" title="Золотой торрент" alt="Золотой торрент">' : doubled ? '<img src="pic/silverdownload.gif" title="Серебряный торрент" alt="Серебряный торрент">' : ''}
<a href="download.php?id=${id}"><img src="pic/download.gif" border="0" alt="Скачать" title="Скачать"></a><br /><i>2026-11-20 10:22:33</i></td>
<td align="right"><b><a href="details.php?id=${id}&amp;hit=1&amp;filelist=1">7</a></b></td><td align="right"><b><a href="details.php?id=${id}&amp;hit=1&amp;tocomm=1">3</a></b></td><td align="center">500&nbsp;часов</td>
<td align="center">${inLines(sizeBytes)}</td>
<td align="center">${seeders > 0 ? `<b><a href="details.php?id=${id}&amp;hit=1&amp;toseeders=1"><font color=#000000>${seeders}</font></a></b>\n` : '<span class="red">0</span>'} | ${leechers > 0 ? `<b><a href="details.php?id=${id}&amp;hit=1&amp;todlers=1">${whole(leechers)}</a></b>\n` : '0\n'}</td>
<td align="center"><a href="userdetails.php?id=99"><b>somebody</b></a></td></tr>`,
  )
  .join(
    '\n',
  )}</tbody><tr><td class="colhead" colspan="12" align="center"><a href="markread.php">Все торренты прочитаны</a></td></tr></table>`,
    ),
}

const words = {
  en: ['Uploaded', 'Downloaded', 'Share ratio', 'Class', 'Currently&nbsp;seeding', 'Size'],
  fr: ['Uploadé', 'Téléchargé', 'Ratio global', 'Classe', 'Seed&nbsp; en cours', 'Taille'],
} as const

const u232Frame = (account: FamilyAccount, body: string) => `<!DOCTYPE html><html><head><title>site</title></head><body>
<nav><div class='collapse'><ul><a class='btn' href='https://site.example/browse.php'>Torrents</a><a class='btn' href='https://site.example/logout.php?hash_please=x'>Logout</a></ul></div></nav><div class='banners'></div>
<div class="alert"><div class='text-center'>Welcome <a class='user' href='userdetails.php?id=${account.id}' target='_blank'><span style='color: #ffffff'>${account.name}</span></a>[${account.level}]Active Torrents:&nbsp;<img alt='Uploading Files' title='Uploading Files' src='pic/up.png' />&nbsp;${account.seeds.length}&nbsp;<img alt='Downloading Files' title='Downloading Files' src='pic/dl.png' />&nbsp;0
&nbsp;Invites: <a href='invite.php'>3</a>&nbsp;Bonus Points: <a href='mybonus.php'>${account.bonus}</a>&nbsp;Share Ratio:${ratioIn(account)}&nbsp;Uploaded:${thousandSize(account.uploadedBytes)} Downloaded:${thousandSize(account.downloadedBytes)}&nbsp;Connectable&nbsp;N/A</div></div>
${body}</body></html>`

/** The way out stands in another part of the page than what it says of its reader. */
const u232 = ([up, down, ratio, level, seeding, size]: (typeof words)[keyof typeof words]): FamilyPages => ({
  home: (account) =>
    u232Frame(account, '<div class="container"><a href="userdetails.php?id=99">somebody</a> uploaded 9 GB</div>'),
  details: (account) =>
    u232Frame(
      account,
      `<table class='table table-bordered'><tr><td class='rowhead' width='1%'>Join&nbsp;date</td><td align='left' width='99%'>Oct 5 2020, 10:22 PM</td></tr>
<tr><td class='rowhead'>${down}</td><td align='left'>${thousandSize(account.downloadedBytes)} - Daily: ${thousandSize(account.downloadedBytes / 200)}</td></tr>
<tr><td class='rowhead'>${up}</td><td align='left'>${thousandSize(account.uploadedBytes)} - Daily: ${thousandSize(account.uploadedBytes / 200)}</td></tr>
<tr><td class="rowhead" style="vertical-align: middle">${ratio}</td><td align="left" valign="middle"><table border="0"><tr><td class="embedded"><span style="color:#ffffff;">${ratioIn(account)}</span></td><td class="embedded">&nbsp;&nbsp;<img src='pic/smilies/w00t.gif' alt='' /></td></tr></table></td></tr>
<tr><td class="clearalt5" align="right"><b>Time Ratio</b></td><td align="left" class="clearalt5"><font color="#000000">1.500</font>&nbsp;&nbsp;[<font>3 days</font>]</td></tr>
<tr><td class='rowhead'>${level}</td><td align='left'>${account.level}&nbsp;&nbsp;<img src='pic/class/x.png' alt='${account.level}' title='${account.level}' /></td></tr>
<tr><td class='rowhead'>Karma points</td><td align='left'><a class='altlink' href='https://site.example/mybonus.php'>${account.bonus}</a></td></tr>
${account.seeds.length === 0 ? '' : `<tr><td class="text-center">${seeding}</td><td align="left" width="90%"><a href="javascript: klappe_news('a1')"><img border="0" src="pic/plus.png" id="pica1" alt="Show/Hide" /></a><div id="ka1" style="display: none;"><table class='table table-bordered'><tr><td class='text-center'>Type</td><td class='text-center'>Name</td><td class='text-center'>${size}</td><td class='text-center'>Se.</td><td class='text-center'>Le.</td><td class='text-center'>Upl.</td><td class='text-center'>Downl.</td><td class='text-center'>Ratio</td></tr>${seedRows(account.seeds)}</table></div></td></tr>`}</table>`,
    ),
  list: () => '',
})

export const u232English = u232(words.en)
export const u232French = u232(words.fr)

/** Of stivi05/XbtitFM-3.1 at 42fa7ad6 and cybernet/CyBerFuN-xBTiT at 1352351e (`lang_main.php` of each language). */
export const xbtitLanguages: Readonly<
  Record<string, readonly [user: string, rank: string, down: string, up: string, ratio: string]>
> = {
  arabic: ['مستخدم', 'رتبه', 'حمّل', 'التي رفعت', 'النسبه'],
  bulgarian: ['Потребител', 'Потребителско ниво', 'Свален', 'Качен', 'Коефициент'],
  chinese: ['用户名', '用户组', '已下载', '已上传', '上传/下载'],
  czech: ['Uživatelské jméno', 'Hodnost', 'Staženo', 'Nahráno', 'Ratio'],
  danish: ['Bruger', 'Rank', 'Hentet', 'Uploaded', 'Ratio'],
  dutch: ['Gebruiker', 'Level', 'Gedownload', 'Geupload', 'Deelverhouding'],
  finnish: ['Käyttäjänimi', 'Arvo', 'Ladattu', 'Julkaissut', 'Ratio'],
  french: ['Utilisateur', 'Rang', 'Téléchargé', 'Envoyé', 'Ratio'],
  german: ['Benutzer', 'Rang', 'downloaded', 'uploaded', 'Verhaeltnis'],
  greek: ['Χρήστης', 'Βαθμολογία', 'Κατεβασμένα', 'Ανεβασμένα', 'Βαθμός'],
  hungarian: ['Tag', 'Rang', 'Letöltött', 'Feltöltött', 'Arányod'],
  italian: ['Utente', 'Grado', 'Scaricato', 'Inviato', 'Punteggio'],
  polish: ['Nick', 'Ranga', 'Pobrane', 'Wysłane', 'Ratio'],
  portuguese: ['Utilizador', 'Rank', 'Downloaded', 'Enviado', 'Rácio'],
  romanian: ['Utilizator', 'Rang', 'Descărcat', 'Uploaded', 'Raţie'],
  russian: ['Пользователь', 'Ранк', 'Скачано', 'Загружено', 'Рейтинг'],
  serbocroatian: ['Korisnik', 'Rang', 'Downloadovano', 'Uploadovano', 'Ratio'],
  spanish: ['Usuario', 'Rank', 'Descargados', 'Subido', 'Ratio'],
  swedish: ['Användare', 'Klass', 'Nerladdat', 'Uppladdad', 'Ratio'],
  turkish: ['Kullanıcı Adı', 'Seviye', 'İndirilen', 'Yüklenen', 'Oran'],
  vietnamese: ['thành viên', 'cấp bật', 'đã tải xuống', 'đã được tải lên', 'tỷ lệ'],
}
