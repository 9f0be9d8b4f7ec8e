import { describe, expect, it } from "vitest";
import { encode } from "@/lib/ai/files/samples/sample-text";
import { guessLatin } from "@/lib/ai/files/text/guess-latin";

const CENTRAL: [language: string, text: string][] = [
  ["Polish", "Proszę o przesłanie faktury do końca miesiąca."],
  ["Polish", "Łódź;Kraków;Gdańsk\nZażółć gęślą jaźń"],
  ["Polish", "Dziękujemy za zamówienie. Płatność została przyjęta, a przesyłka będzie wysłana jutro."],
  ["Polish, shouted", "UWAGA: PROSZĘ ZGŁOSIĆ SIĘ DO KSIĘGOWOŚCI"],
  ["Czech", "Příliš žluťoučký kůň úpěl ďábelské ódy."],
  ["Czech", "Děkujeme za Vaši objednávku, zboží bude odesláno zítra."],
  ["Czech", "Jméno;Příjmení;Město\nJiří;Dvořák;Plzeň\nLukáš;Němec;Břeclav"],
  ["Slovak", "Ďakujeme za objednávku, tovar bude doručený v pondelok. Ľutujeme oneskorenie."],
  ["Hungarian", "Köszönjük a megrendelést, a csomagot hétfőn küldjük. Fizetési határidő: nyolc nap."],
  ["Hungarian", "Az előző évről szóló beszámolót minden szülő megkapta, ezért többet erről nem írunk."],
  ["Croatian", "Molimo vas da račun platite što prije. Ćevapčići i šljivovica već čekaju, đače."],
  ["Slovenian", "Prosimo, da račun plačate čim prej. Žal še vedno čakamo na vaše sporočilo."],
  ["Romanian", "Vă mulţumim pentru comandă. Coletul va fi livrat luni, în oraşul Bucureşti, fără costuri."],
];

/** Texts with enough different letters to tell by, and none that Macs did not have. */
const isOnMacs = (text: string) => !/[šžðþý²]/i.test(text) && new Set(text.match(/[ß-ÿœ]/gi)).size > 3;

const OTHERS: [encoding: string, language: string, text: string][] = [
  ["windows-1254", "Turkish", "Siparişiniz için teşekkür ederiz. Kargo yarın gönderilecek."],
  ["windows-1254", "Turkish", "Ad;Şehir\nIşık;İstanbul\nÇağlar;Eskişehir"],
  ["cp857", "Turkish", "Siparişiniz için teşekkür ederiz. Kargo yarın gönderilecek."],
  ["cp850", "German, in a table", "┌────┬────┐\n│ Größe │ Stück für Öl │\n└────┴────┘"],
  ["cp850", "Spanish", "Señores: la factura número 12 del año, por reparación de cañerías, está vencida."],
  ["windows-1257", "Lithuanian", "Ačiū už užsakymą. Siuntinys bus išsiųstas rytoj, o sąskaitą gausite el. paštu."],
  ["windows-1257", "Latvian", "Paldies par pasūtījumu. Sūtījums tiks nosūtīts rīt, rēķinu saņemsiet pa e-pastu."],
  ["windows-1258", "Vietnamese", "Cảm ơn quý khách đã đặt hàng. Đơn hàng sẽ được giao vào ngày mai."],
];

const WESTERN: [language: string, text: string][] = [
  ["German", "Wir freuen uns über Ihre Bestellung; die Größe prüfen wir für Sie. Schöne Grüße aus Köln, Jürgen Weiß"],
  [
    "French",
    "Après l'été, où es-tu allé ? À Évian, déjà, près de l'hôtel. La crème brûlée était très bonne, ça alors.",
  ],
  [
    "French with one accent",
    "Le père, la mère et le frère sont très fiers; après la dernière lettre, la première réussite.",
  ],
  ["French with one accent alone", "père mère frère très après dernière première lumière manière carrière rivière"],
  [
    "Spanish",
    "El niño comió piñas mañana. ¿Qué pasó? ¡Así es! Él está aquí con su compañía, según la última información.",
  ],
  [
    "Portuguese",
    "Não há informação; a reunião será amanhã às nove. Coração, mãe, ações, três, você, também, português.",
  ],
  [
    "Italian",
    "Perché è così? La città è più bella di notte, però non c'è più nessuno: ieri andrò, oggi sarà già lunedì.",
  ],
  ["Catalan", "L'any següent ja no hi havia més ciències; però la veïna vingué amb una caixa d'óssos i çò que fos."],
  ["Danish", "På øen er der æbler; København får en ny færge, og Søren kører på ØRESUND med Jørgen og Bjørn."],
  ["Norwegian", "Søknaden må være sendt før påske. Får vi ikke svar, går saken videre til rådet på Tromsø."],
  ["Swedish", "Vi får se på måndag om båten är här; Åsa, Östen och Märta går på kalas i Malmö."],
  ["Finnish", "Hyvää päivää! Tämä on tärkeä viesti: älä jätä sitä lukematta, sillä määräaika päättyy pian."],
  [
    "Finnish with foreign words",
    "Šakki ja žonglööri: tämä näytelmä esitetään pääkaupungissa, tšekki käy maksuvälineenä.",
  ],
  ["Icelandic", "Það er þó ágætt, sagði Ævar. Við förum í bæinn á morgun og þú kemur með, ýmsir aðrir líka."],
  ["Faroese", "Tað er eitt gott veður í Føroyum í dag; hann býr í Tórshavn og hon róði út á fjørðin við ær og kýr."],
  [
    "Estonian",
    "Täname tellimuse eest. Õhtul jõuab pakk kätte, küsimuste korral pöörduge meie poole. Šokolaad ja žürii.",
  ],
  ["Dutch", "De coördinator vond het reëel, maar België en Italië waren het daar niet mee eens; één idee te veel."],
  ["Albanian", "Faleminderit për porosinë. Pagesa është pranuar dhe dërgesa do të bëhet nesër, çdo ditë."],
  ["Irish", "Tá fáilte romhat. Beidh an cruinniú ar siúl amárach ag a trí a chlog sa tsráid mhór, más féidir é."],
  [
    "Scottish Gaelic",
    "Tha mi à Glaschu; chì mi thu a-màireach aig a' bhùth, mòran taing, gu dè an t-ainm a th' ort, tha è làidir",
  ],
  ["Welsh", "Mae'r tŷ yn hên ac mae'r môr yn lân; gwên a chân, sŵn y gwynt".replace(/[ŷŵ]/g, "y")],
  ["Afrikaans", "Ek sê dit môre; die reën het geëindig en hulle het hoë koste gehê. Wêreld, brûe, geïnteresseerd."],
  ["Basque and Galician", "Españako araua; a miña avoa comeu o pan e xa non volverá ata mañá, despois da reunión."],
  [
    "English with foreign words",
    "The café's naïve résumé — “déjà vu” at £5 or €4, 20 °C, 3 m², ½ cup, § 7, © 2024 Señor Müller’s façade",
  ],
  [
    "names from all over",
    "Müller;Ñandú;Sørensen;Crème;João;Þór;Åsa;Günther;François;Núñez;Strauß;Björk;Zoë;Chloé;Conceição",
  ],
  ["names with š and ž", "Šime Žižek;Müller;José;Saša;François;Žan;Renée"],
  ["units", "12 m² · 5 µm ± 3 % · 4 × 6 cm · 10 °C · ¼ l · ³He · ¹ Note · ² Note · 5 m³ · £12 · ¥900"],
  ["marks alone", "“Yes” – she said… ‘no’ — «oui» †‡•"],
  ["shouted German", "ACHTUNG: ÖFFNUNGSZEITEN ÄNDERN SICH! BÜRO GESCHLOSSEN, MÜLLABFUHR FÄLLT AUS"],
  ["shouted French", "À L'ÉTÉ, L'HÔTEL EST FERMÉ; RÉSERVÉ À LA CLIENTÈLE; DÉJÀ COMPLET"],
];

describe("guessLatin", () => {
  it.each(CENTRAL)("tells %s: %s", (_language, text) => {
    for (const encoding of ["windows-1250", "cp852"]) expect(guessLatin(encode(text, encoding))).toBe(encoding);
    const bytes = encode(text, "iso-8859-2");
    const found = guessLatin(bytes);
    expect(found && new TextDecoder(found).decode(bytes)).toBe(text);
  });

  it.each(OTHERS)("tells %s, %s: %s", (encoding, _language, text) => {
    expect(guessLatin(encode(text, encoding))).toBe(encoding);
  });

  it.each(WESTERN)("leaves what is of the West: %s", (_language, text) => {
    const bytes = encode(text, "windows-1252");
    expect(guessLatin(bytes)).toBeUndefined();
    for (const line of text.split(/[;.:!?]/)) expect(guessLatin(encode(line, "windows-1252")), line).toBeUndefined();
    for (const word of text.split(/\P{L}+/u)) {
      expect(guessLatin(encode(word, "windows-1252")), word).toBeUndefined();
      expect(guessLatin(encode(`${word} `.repeat(3), "windows-1252")), word).toBeUndefined();
    }
    expect(guessLatin(encode(text.repeat(200), "windows-1252"))).toBeUndefined();
  });

  it.each(WESTERN.filter(([, text]) => isOnMacs(text)))("tells what a Mac wrote: %s", (_language, text) => {
    expect(guessLatin(encode(text, "macintosh"))).toBe("macintosh");
  });

  it("says nothing of what is too little to tell by", () => {
    for (const text of ["Łódź", "Kč", ""]) expect(guessLatin(encode(text, "windows-1250"))).toBeUndefined();
  });
});
