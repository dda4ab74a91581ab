/**
 * What the pages of the software say in the languages that it has had beside the three of the stock pages. Source:
 * `lang/{cs,da,de,el,es,fi,fr,it,ja,nb,nl,pl,pt,ro,ru,sv}` and `resources/lang` of a fork of its 1.9, cyanbug-pt/nexusphp at
 * fdeaafdb. They are translated by a machine: some have one word for what is uploaded and what is downloaded, and a label may
 * be another thing's name or carry a stray word. Labels only; in the order of the languages.
 */
export const farLanguages = [
  'cs',
  'da',
  'de',
  'el',
  'es',
  'fi',
  'fr',
  'it',
  'ja',
  'nb',
  'nl',
  'pl',
  'pt',
  'ro',
  'ru',
  'sv',
] as const
export type FarLanguage = (typeof farLanguages)[number]

const table: Readonly<Record<string, string>> = {
  bonus:
    'Bonus ¦Bonus ¦Bonus ¦Μπόνους ¦Bono ¦Bonus ¦Bonus ¦Bonus ¦ボーナス ¦Bonus ¦Bonus ¦Bonus ¦Bônus ¦Bonus ¦Бонус ¦Bonus ',
  use: 'Použití¦Brug¦Benutzen¦Χρήση¦Usar¦Käytä¦Utiliser¦Usa¦使用¦Bruk¦Gebruik¦Użycie¦Utilizar¦Utilizare¦Использовано¦Använd',
  seedPoints:
    'Semenné body¦Seed point¦Seed Punkte¦Σημεία σποράς¦Puntos de semilla¦Siemenpisteet¦Points de graine¦Punti di seme¦シードポイント¦Oppgavens poeng¦Seed punten¦Punkty ziarna¦Pontos de semente¦Puncte de seed¦Точки семян¦Seed points',
  ratio:
    'Poměr¦Forhold:¦Verhältnis:¦Αναλογία:¦Ratio:¦Suhde:¦Ratio¦Rapporto:¦比率:¦Ratio:¦Verhouding:¦Stosunek¦Proporção:¦Raport:¦Коэффициент:¦Förhållande:',
  uploaded:
    'Nahráno:¦Uploadet:¦Hochgeladen:¦Μεταφορτώθηκε:¦Subido:¦Lähetetty:¦Envoyé :¦Caricato:¦アップロード済み:¦Opplastet:¦Geüpload:¦Przesłano:¦Enviado:¦Încărcat:¦Загружено:¦Uppladdad:',
  downloaded:
    'Staženo:¦Downloadet:¦Heruntergeladen:¦Ληφθέντα:¦Descargado:¦Ladattu:¦Téléchargé :¦Scaricato:¦ダウンロード済み:¦Nedlastet:¦Gedownload:¦Pobrane:¦Baixados:¦Descarcat:¦Скачано:¦Nedladdad:',
  active:
    'Aktivní:¦Aktiv:¦Aktiv:¦Ενεργό:¦Activo:¦Aktiivinen:¦Actif :¦Attivo:¦アクティブ:¦Aktiv:¦Actief:¦Aktywne:¦Ativo:¦Activ:¦Активно:¦Aktiv:',
  messageNew: ' Nové¦ Ny¦ Neu¦ Νέο¦ Nuevo¦ Uusi¦ Nouveau¦ Nuovo¦ 新規作成¦ Ny¦ Nieuw¦ Nowy¦ Novidades¦ Nou¦ Новый¦ Ny',
  youHave:
    'Máte ¦Du har ¦Du hast ¦Έχετε ¦Tienes ¦Sinulla on ¦Vous avez ¦Hai ¦持っている ¦Du har ¦Je hebt ¦Masz ¦Você tem ¦Ai ¦У вас есть ¦Du har ',
  newMessage:
    ' nová zpráva¦ ny besked¦ neue Nachricht¦ νέο μήνυμα¦ nuevo mensaje¦ uusi viesti¦ nouveau message¦ nuovo messaggio¦ 新しいメッセージ¦ ny melding¦ nieuw bericht¦ nowa wiadomość¦ nova mensagem¦ mesaj nou¦ новое сообщение¦ nytt meddelande',
  joinDate:
    'Datum připojení&nbsp;¦Tilmeld dig&nbsp;dato¦Beitrittsdatum&nbsp;¦Join&nbsp;date¦Join&nbsp;date¦Join&nbsp;date¦Rejoignez la date&nbsp;¦Unisciti&nbsp;data¦Join&nbsp;date¦Bli med&nbsp;dato¦Join&nbsp;date¦Dołącz do daty&nbsp;¦Juntar-se a&nbsp;data¦Alătură-te la&nbsp;dată¦Присоединиться&nbsp;Дата¦Gå med&nbsp;datum',
  lastSeen:
    'Naposledy viděno&nbsp;¦Sidste&nbsp;set¦Zuletzt&nbsp;gesehen¦Last&nbsp;seen¦Last&nbsp;seen¦Last&nbsp;seen¦Dernier&nbsp;vu¦Ultima&nbsp;vista¦最後の&nbsp;見る¦Siste&nbsp;sett¦Laatste&nbsp;gezien¦Ostatnio widziano&nbsp;¦Último&nbsp;visto¦Ultimul&nbsp;văzut¦Последнее&nbsp;видено¦Senaste&nbsp;sett',
  transfer:
    'Převody¦Overførsler¦Transfers¦Μεταφορές¦Transferencias¦Siirrot¦Transferts¦Storni¦送金¦Overføringer¦Overdrachten¦Przelewy¦Transferências¦Transferuri¦Переводы¦Överföringar',
  rowUploaded:
    'Nahráno¦Uploadet¦Hochgeladen¦Ανέβηκε¦Subido¦Ladattu¦Téléchargé¦Caricato¦アップロードしました¦Opplastet¦Geüpload¦Przesłano¦Enviado¦Încărcat¦Загружено¦Uppladdad',
  rowDownloaded:
    'Staženo¦Downloadet¦Heruntergeladen¦Λήφθηκε¦Descargado¦Ladattu¦Téléchargé¦Scaricato¦ダウンロード済み¦Nedlastet¦Gedownload¦Pobrano¦Baixado¦Descărcat¦Загружено¦Nedladdad',
  rowRatio:
    'Poměr sdílení¦Del Forhold¦Verhältnis teilen¦Αναλογία Κοινοποίησης¦Ratio de subida¦Jaa Suhde¦Taux de partage¦Rapporto Condivisione¦比率を共有¦Del forhold¦Deel Verhouding¦Współdzielenie¦Taxa de Compartilhamento¦Raport Partajare¦Рейтинг Обмена¦Dela förhållande',
  movedUp:
    'Aktuálně nahrané¦Faktisk Uploadet¦Aktuell hochgeladen¦Πραγματικό Ανέβασμα¦Real subido¦Todellinen Ladattu¦Téléchargé actuellement¦Caricato Effettivamente¦アップロードされました¦Faktisk opplastet¦Huidig geüpload¦Aktualnie przesłane¦Carregamento real¦Actual încărcat¦Фактическая выгрузка¦Faktisk uppladdad',
  movedDown:
    'Aktuálně stažené¦Faktisk Downloadet¦Aktuell heruntergeladen¦Πραγματική Λήψη¦Descargado real¦Todellinen Ladattu¦Téléchargement en cours¦Effettivo Scaricato¦実際のダウンロード¦Faktisk lastet ned¦Huidige Gedownload¦Aktualnie pobrane¦Baixado Real¦Actuală Descărcată¦Текущее загруженное¦Faktisk nerladdad',
  movedRatio:
    'Aktuální poměr sdílení¦Faktisk Aktieforhold¦Tatsächliches Teil-Verhältnis¦Πραγματική Αναλογία Μετοχών¦Ratio de subida real¦Todellinen Osakkuussuhde¦Taux de partage réel¦Rapporto Di Azioni Attuali¦実際のシェア率¦Faktisk deling forhold¦Werkelijke aandelenverhouding¦Rzeczywisty współczynnik udziału¦Taxa de Compartilhamento Real¦Raportul de Acțiune Actuală¦Фактическое соотношение акций¦Faktisk delningsgrad',
  movedNote: `Skutečné nahrané / Aktuálně stažené (pouze pro účely záznamu)¦Faktisk Uploaded/faktisk downloadet (Kun til rekordformål og ikke til beregning af aktiesatser)¦Tatsächliches Uploaded/Actual Downloaded (nur für Aufzeichnungszwecke und nicht für die Berechnung des Aktienkurses)¦Πραγματική μεταφορτώθηκε/Πραγματική λήψη (για λόγους εγγραφής μόνο, όχι για υπολογισμό ποσοστού κοινής χρήσης)¦Subida/Descargado real (sólo para propósitos de registro, no para el cálculo de tasa de acciones)¦Todellinen ladattu / Todellinen ladattu (Vain tallentamista varten, ei osakekurssien laskentaa varten)¦Téléchargement/téléchargement réel (uniquement à des fins d'enregistrement et non pour le calcul du taux d'action)¦Effettivo caricato/Effettivo scaricato (Solo a scopo di registrazione, non per il calcolo del tasso di condivisione)¦実際のアップロード/実際のダウンロード(レコードのみ、シェアレートの計算では使用できません)¦Faktisk opplastet/faktisk lastet ned (Bare for oppføringsformål, ikke for beregning av forhold)¦Werkelijke uploade/Actual gedownload (alleen voor record doeleinden, niet voor berekening van de deeltarief¦Aktualnie przesłane/Rzeczywiste pobrane (tylko do celów rekordu, nie do kalkulacji kursu akcji)¦Atual Uploaded/Real Downloaded (para fins graves, não para o cálculo da taxa de compartilhamento)¦Actual Uploaded/Actual Descărcate (Pentru înregistrare numai, nu pentru calculul ratei de partajare)¦Фактическая загруженная/фактическая загруженная (только для записи, не для расчёта доли в курсе)¦Faktisk uppladdad/faktisk hämtad (Endast för inspelningsändamål, inte för beräkning av aktiekurs)`,
  level: 'Třída:¦Klasse¦Klasse¦Κλάση¦Clase¦Luokka¦Classe¦Classe¦クラス¦Klasse¦Les¦Klasa¦Classe:¦Clasa¦Класс¦Klass',
  points:
    'Karma body¦Karma Point¦Karma Punkte¦Πόντοι Κάρμα¦Puntos Karma¦Karma Pisteet¦Points de Karma¦Punti Karma¦カルマポイント¦Karma Poeng¦Karma Punten¦Punkty Karmy¦Pontos de Karma¦Puncte Karma¦Очки Кармы¦Karma Poäng',
  currentSeeding:
    'Aktuální Distribuce¦Nuværende Seeding¦Aktuelles Verteilen¦Τρέχουσα Διαφορά¦Sembrado actual¦Nykyinen Lähetys¦Sources actuelles¦Seeding Corrente¦現在のシード中¦Gjeldende spredning¦Huidig uploaden¦Bieżące seedowanie¦Semeando Atual¦Seeding Curent¦Текущая раздача¦Nuvarande sådd',
  record:
    ' záznam¦ postering¦ aufzeichnen¦ εγγραφή¦ grabar¦ tallenna¦ enregistrement¦ registra¦ レコード¦ opptak¦ opnemen¦ nagrywanie¦ gravar¦ înregistrare¦ запись¦ post',
  noRecord:
    'Žádný záznam.¦Ingen postering.¦Kein Datensatz.¦Δεν υπάρχει εγγραφή.¦No hay registro.¦Ei tietuetta.¦Aucun enregistrement.¦Nessun record.¦レコードがありません。¦Ingen oppføring.¦Geen record.¦Brak rekordu.¦Sem registros.¦Nici o înregistrare.¦Нет записи.¦Ingen post.',
  totalSize:
    ' | Celková velikost: ¦ Størrelse i alt: ¦ | Gesamtgröße: ¦ «Συνολικό μέγεθος: ¦ | Tamaño total: ¦ - Koko yhteensä: ¦ | Taille totale: ¦ <unk> Dimensione totale: ¦ | 合計サイズ: ¦ Respirasjons totalstørrelse: ¦ Februari Totale grootte: ¦ | Całkowity rozmiar: ¦ web+graphie://ka-perseus-graphie.s3.amazonaws.com/Tamanho total: ¦ Dimensiune Total: ¦ | Общий размер: ¦ <unk> Total storlek: ',
  type: 'Typ¦Type¦Typ¦Τύπος¦Tipo¦Tyyppi¦Type de texte¦Tipo¦タイプ¦Type:¦Type¦Typ¦tipo¦Tip¦Тип¦Typ',
  name: 'Název¦Navn¦Name¦Όνομα¦Nombre¦Nimi¦Nom¦Nome¦名前¦Navn¦naam¦Nazwisko¦Nome:¦Nume¦Наименование¦Namn',
  comments:
    'Číslo&nbsp;připomínek&nbsp;¦Antal&nbsp;af&nbsp;Kommentarer¦Nummer&nbsp;von&nbsp;Kommentaren¦Αριθμός&nbsp;των σχολίων&nbsp;¦Número&nbsp;de&nbsp;Comentarios¦Määrä&nbsp;&nbsp;Kommentit¦Number&nbsp;of&nbsp;Comments¦Numero&nbsp;di&nbsp;Commenti¦&nbsp;&nbsp;コメント¦Nummer&nbsp;av&nbsp;Kommentarer¦Nummer&nbsp;van&nbsp;Reacties¦Numer&nbsp;z&nbsp;Komentarze¦Número&nbsp;de&nbsp;Comentários¦Numărul&nbsp;de&nbsp;Comentarii¦Число&nbsp;из&nbsp;комментариев¦Nummer&nbsp;av&nbsp;Kommentarer',
  timeAdded:
    'Čas&nbsp;Přidáno¦Tid&nbsp;Tilføjet¦Zeit&nbsp;hinzugefügt¦Time&nbsp;Added¦Tiempo&nbsp;Añadido¦Aika&nbsp;Lisätty¦Temps&nbsp;Ajouté¦Tempo&nbsp;Aggiunto¦&nbsp;追加時間¦Tid&nbsp;lagt til¦Tijd&nbsp;Toegevoegd¦Czas&nbsp;Dodano¦Tempo&nbsp;Adicionado¦Timp&nbsp;Adăugat¦Время&nbsp;Добавлено¦Tid&nbsp;Tillagd',
  timeAlive:
    'Čas&nbsp;Živý¦Tid&nbsp;Live¦Zeit&nbsp;im Leben¦Time&nbsp;Alive¦Tiempo&nbsp;vivo¦Aika&nbsp;Elävä¦Temps&nbsp;Vivant¦Tempo&nbsp;Vivo¦時間&nbsp;生きている¦Time&nbsp;Alive¦Tijd&nbsp;Levend¦Czas&nbsp;na żywo¦Tempo&nbsp;Vivo¦Timp&nbsp;Alive¦Время&nbsp;живое¦Tid&nbsp;Liv',
  size: 'Velikost¦Størrelse¦Größe¦Μέγεθος¦Tamaño¦Koko¦Taille¦Dimensione¦サイズ¦Størrelse¦Grootte¦Rozmiar¦Tamanho¦Dimensiune¦Размер¦Storlek',
  seeders:
    'Číslo&nbsp;z&nbsp;Seedery¦Antal&nbsp;af&nbsp;Seeders¦Nummer&nbsp;von&nbsp;Seedern¦Αριθμός&nbsp;του&nbsp;Seeders¦Número&nbsp;de&nbsp;Semilleros¦Määrä&nbsp;&nbsp;Jakajat¦Nombre&nbsp;de&nbsp;Seeders¦Numero&nbsp;di&nbsp;Seeders¦Number&nbsp;of&nbsp;Seeders¦Antall&nbsp;av&nbsp;Sjøfolk¦Nummer&nbsp;van&nbsp;Seeders¦Numer&nbsp;&nbsp;Seedery¦Número&nbsp;de&nbsp;Semeadores¦Numărul&nbsp;de&nbsp;Seederi¦Число&nbsp;из&nbsp;сеялки¦Antal&nbsp;av&nbsp;Seeders',
  leechers:
    'Číslo&nbsp;z&nbsp;Leechery¦Antal&nbsp;af&nbsp;Leechers¦Nummer&nbsp;von&nbsp;Leechern¦Αριθμός&nbsp;του&nbsp;Leechers¦Número&nbsp;de&nbsp;Leechers¦Määrä&nbsp;&nbsp;Leechers¦Nombre&nbsp;de&nbsp;Leechers¦Numero&nbsp;di&nbsp;Leechers¦&nbsp;リーチャーズの番号&nbsp;¦Antall&nbsp;av&nbsp;Esjetere¦Aantal&nbsp;van&nbsp;Leechers¦Numer&nbsp;z&nbsp;Leechers¦Número&nbsp;de&nbsp;Leechers¦Numărul&nbsp;de&nbsp;Leechers¦Число&nbsp;из&nbsp;Leechers¦Antal&nbsp;av&nbsp;Leechers',
  snatched:
    'Číslo&nbsp;z&nbsp;Nalezeno¦Antal&nbsp;af&nbsp;Snatched¦Nummer&nbsp;von&nbsp;Geschnappt¦Αριθμός&nbsp;του&nbsp;άρπαξε¦Número&nbsp;de&nbsp;Obtenido¦Number&nbsp;of&nbsp;Snatched¦Nombre&nbsp;de&nbsp;Récupéré¦Numero&nbsp;di&nbsp;Strappato¦&nbsp;&nbsp;の番号¦Antall&nbsp;av&nbsp;Snatched¦Nummer&nbsp;van&nbsp;Opgepikt¦Numer&nbsp;z&nbsp;Złapano¦Número&nbsp;de&nbsp;Encontrado¦Numărul&nbsp;din&nbsp;Smuls¦Число&nbsp;из&nbsp;Snatched¦Nummer&nbsp;av&nbsp;Hämtad',
  uploader:
    'Nahrávání¦Uploader¦Uploader¦Μεταφόρτωση¦Cargador¦Lähettäjä¦Chargeur¦Uploader¦アップローダー¦Opplaster¦Uploader¦Przesyłacz¦Carregador¦Încărcător¦Загрузчик¦Uppladdare',
  willEnd:
    ' skončí za ¦ slutter om ¦ endet in ¦ θα λήξει σε ¦ terminará en ¦ päättyy sisään ¦ se terminera dans ¦ terminerà tra ¦ 終了します。 ¦ vil ende om ¦ zal eindigen over ¦ zakończy się za ¦ terminará em ¦ se va încheia în ¦ закончится через ¦ kommer att sluta om ',
  currently:
    'Momentálně dostáváte ¦Du får i øjeblikket ¦Du erhältst gerade ¦Αυτήν τη στιγμή παίρνετε ¦Actualmente estás recibiendo ¦Olet parhaillaan saamassa ¦Vous obtenez actuellement ¦Stai ricevendo ¦現在取得しています ¦Du får for øyeblikket ¦U wordt momenteel ¦Aktualnie otrzymujesz ¦Você está recebendo atualmente ¦Primești în prezent ¦Сейчас вы получаете ¦Du får för närvarande ',
  point:
    ' bod¦ punkt¦ punkt¦ πόντος¦ punto¦ piste¦ point¦ punto¦ ポイント¦ poeng¦ Punt¦ punkt¦ ponto¦ punct¦ точка¦ punkt',
  perHour:
    ' za hodinu¦ pr. time¦ pro Stunde¦ ανά ώρα¦ por hora¦ per tunti¦ par heure¦ per ora¦ 1時間あたり¦ per time¦ per uur¦ na godzinę¦ por hora¦ pe oră¦ за час¦ per timme',
  signedIn:
    'Úspěšně¦Succes¦Erfolg¦Επιτυχία¦Éxito¦Onnistui¦Succès¦Successo¦成功¦Vellykket¦Geslaagd¦Sukces¦Sucesso¦Succes¦Успешно¦Klart',
  attendInfo:
    'Už jsi se zúčastnil <b>7</b> dní, kontinuálního <b>7</b> dní, tentokrát získáš <b>7</b> bonus.¦Du har allerede deltaget <b>7</b> dage, Kontinuerlig <b>7</b> dage, denne gang vil du få <b>7</b> bonus.¦Du hast bereits <b>7</b> Tage besucht, Kontinuierlich <b>7</b> Tage, dieses Mal bekommst du <b>7</b> Bonus.¦Έχετε ήδη παρακολουθήσει <b>7</b> ημέρες, Continuous <b>7</b> ημέρες, αυτή τη φορά θα λάβετε μπόνους <b>7</b>.¦You have already attended <b>7</b> days, Continuous <b>7</b> days, this time you will get <b>7</b> bonus.¦Olet jo osallistunut <b>7</b> päivää, Jatkuva <b>7</b> päivää, tällä kertaa saat <b>7</b> bonuksen.¦Vous avez déjà assisté à <b>7</b> jours, <b>7</b> jours, cette fois vous obtiendrez un bonus <b>7</b>.¦Hai già partecipato a <b>7</b> giorni, Continuo <b>7</b> giorni, questa volta otterrai <b>7</b> bonus.¦既に <b>7</b> 日間、連続 <b>7</b> 日間、今回は <b>7</b> ボーナスを受け取ることができます。¦Du har allerede deltatt på <b>7</b> dager, Kontinuerlig <b>7</b> dager, denne gangen vil du få bonus til <b>7</b>.¦Je hebt al <b>7</b> dagen bijgewoond, Doorgaan <b>7</b> dagen, deze keer krijg je <b>7</b> bonus.¦You have already attended <b>7</b> days, Continuous <b>7</b> days, this time you will get <b>7</b> bonus.¦Você já assistiu a <b>7</b> dias, Contínuo <b>7</b> dias, desta vez você receberá um bônus <b>7</b>.¦Ai participat deja la <b>7</b> zile, Continuă <b>7</b> zile, de data aceasta primești <b>7</b> bonus.¦You have already attended <b>7</b> days, Continuous <b>7</b> days, this time you will get <b>7</b> bonus.¦Du har redan deltagit i <b>7</b> dagar, Continuous <b>7</b> dagar, denna gång kommer du att få <b>7</b> bonus.',
  alreadyIn:
    'Již jste se zúčastnili, neaktualizujte prosím.¦Du har allerede deltaget, ingen opfriskning.¦Du hast bereits teilgenommen, bitte keine Aktualisierung vorgenommen.¦Έχετε ήδη παρευρεθεί, δεν ανανεώστε παρακαλώ.¦Ya has asistido, por favor, no hay actualización.¦Olette jo läsnä, älkää virkistäkö.¦Vous avez déjà participé, il ne vous plaît pas.¦Hai già partecipato, nessun aggiornamento, per favore.¦既に出席しました。更新しないでください。¦Du har allerede delt, ingen gjenoppfrisk.¦U bent al aanwezig, geen vernieuwingen alstublieft.¦Już uczestniczyłeś, nie odświeżaj.¦Você já assistiu. Sem atualização, por favor.¦Deja ai participat, nu te rog să reîmprospătezi.¦Вы уже посещали, не обновляйте.¦Du har redan närvarat, ingen uppdatering tack.',
  nothingFound: `Nic nenalezeno!¦Intet fundet!¦Nichts gefunden!¦Τίποτα δεν βρέθηκε!¦¡Nada encontrado!¦Mitään ei löytynyt!¦Rien n'a été trouvé !¦Niente trovato!¦何も見つかりません！¦Ingenting funnet!¦Niets gevonden!¦Nic nie znaleziono!¦Nada encontrado!¦Nimic găsit!¦Не найдено!¦Ingenting hittades!`,
  rewardType:
    'Typ odměny¦Belønnings type¦Prämientyp¦Τύπος ανταμοιβής¦Tipo de recompensa¦Palkinnon tyyppi¦Type de récompense¦Tipo ricompensa¦報酬タイプ¦BelÃ¸nning type¦Beloning type¦Typ nagrody¦Tipo de recompensa¦Tip de recompensă¦Тип вознаграждения¦Belöningstyp',
  rewardTotal:
    'Celkem¦I Alt¦Gesamt¦Σύνολο¦Total¦Yhteensä¦Total¦Totale¦合計¦Totalt¦Totaal¦Łącznie¦Total:¦Total¦Итого¦Totalt',
}

const told = new Map(Object.entries(table).map(([name, words]) => [name, words.split('¦')]))

/** Undefined where the language has no word of its own. */
export function farWord(language: FarLanguage, name: string): string | undefined {
  return told.get(name)?.[farLanguages.indexOf(language)] || undefined
}
