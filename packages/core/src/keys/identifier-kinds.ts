import { isCardNumber, isIban, isImei, isVin, NATIONAL_IDS } from './checksums.js'
import { anyOf } from './column-words.js'
import { GIVEN_NAMES } from './given-names.js'

/**
 * Kinds of direct identifiers: what says who a record is, alone or with a directory. The list follows the eighteen identifiers
 * of the HIPAA safe harbour (45 CFR 164.514(b)(2)) and adds what survey and web data bring: bank and card numbers, national
 * numbers, coordinates, free text.
 */
interface IdentifierKind {
  /** In the plural, to complete "looks like". */
  readonly title: string
  /** What is done about it before a release, where it need not be removed. */
  readonly advice?: string
  /** Words in the column's name. */
  readonly named?: RegExp
  /** Whether a value may be one. */
  readonly looksLike?: (text: string) => boolean
  /**
   * What is asked for besides, unless no other column has such values: `distinct` that most records have a value of their own,
   * `name` that the name says so too.
   */
  readonly proof?: 'distinct' | 'name'
  /** Of numbers as well as of texts. */
  readonly numbers?: boolean
  /** Whether the name alone tells where no pattern can be given, if there are many values. */
  readonly byNameAlone?: boolean
}

const pattern = (expression: RegExp) => (text: string) => expression.test(text.trim())

const STREET =
  /\b(street|st\.?|road|rd\.?|avenue|ave\.?|lane|ln\.?|drive|dr\.?|boulevard|blvd\.?|court|square|terrace|rue|allée|chemin|calle|avenida|via|viale|piazza|plaza|ulica|ul\.|rua|[\p{L}]*(?:straße|strasse|str\.|gasse|weg|platz|straat|laan|gade|gatan|vägen|katu))(?=\s|,|$|\d)/iu
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?::\d+)?$/
const IPV6 = /^(?=.*:.*:)[0-9a-f:]{3,39}(?:%\w+)?$/i
const NUMERIC_DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T].*)?$/
const PHONE = /^(?:\+|00)?[\d\s()./-]+(?:\s*(?:x|ext\.?)\s*\d+)?$/i
const PERSON =
  /^(?:(?:Dr|Mr|Mrs|Ms|Prof|Mag|Ing)\.? )?\p{Lu}[\p{L}'’.-]*(?:,? (?:de|da|dos|van|von|der|den|di|del|la|le|bin|al|\p{Lu}[\p{L}'’.-]*)){0,4}$/u
const FILE = /\.(jpe?g|png|gif|tiff?|bmp|heic|dcm|wav|mp3|m4a|mp4|mov|avi|pdf)$/i

export const IDENTIFIER_KINDS: readonly (IdentifierKind & { readonly id: string })[] = Object.entries<IdentifierKind>({
  email: {
    title: 'e-mail addresses',
    named: anyOf('e ?mail*, mail, courriel, correo'),
    looksLike: pattern(/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i),
  },
  url: { title: 'addresses of web pages', looksLike: pattern(/^(?:https?:\/\/|www\.)\S+$/i) },
  iban: { title: 'IBANs', looksLike: isIban },
  card: {
    title: 'numbers of payment cards',
    named: anyOf('credit card*, card n*, cc n*, pan, kreditkarte*, creditcard*'),
    looksLike: isCardNumber,
    numbers: true,
  },
  imei: { title: 'numbers of telephones (IMEI)', looksLike: isImei, numbers: true },
  vin: { title: 'numbers of vehicles (VIN)', named: anyOf('vin'), looksLike: isVin },
  'national-id': {
    title: 'national identity or social security numbers',
    named:
      anyOf(`ssn, social security*, national id*, nino, nhs, svnr, sozialversicherung*, steuer*id, pesel, bsn, cpf, dni, nie,
      codice fiscale, ahv*, nir, personnummer, tax id*, tin`),
    looksLike: (text) => Object.values(NATIONAL_IDS).some((isValid) => isValid(text)),
    numbers: true,
    byNameAlone: true,
  },
  mac: { title: 'addresses of network devices (MAC)', looksLike: pattern(/^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i) },
  ip: { title: 'IP addresses', looksLike: (text) => IPV4.test(text.trim()) || IPV6.test(text.trim()) },
  uuid: { title: 'UUIDs', looksLike: pattern(/^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i) },
  hash: {
    title: 'hashes or tokens that stand for a person',
    advice: 'remove it: a hash of a name or number is found again by hashing candidates',
    looksLike: pattern(/^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,128}$/i),
    proof: 'distinct',
  },
  phone: {
    title: 'telephone numbers',
    named: anyOf(
      `phone*, telephone*, tel, mobile, cell, cellphone, fax, telefon*, handy*, mobil, telefono, telnr, msisdn`,
    ),
    looksLike: isPhone,
    proof: 'distinct',
    numbers: true,
    byNameAlone: true,
  },
  coordinates: {
    title: 'coordinates of places',
    advice: 'remove it, or keep a region large enough for many people',
    named:
      anyOf(`lat, latitude, lon, lng, long, longitude, gps*, geo, coord*, breitengrad, langengrad, easting, northing,
      geohash, latlon, latlng`),
    looksLike: (text) => /^-?\d{1,3}\.\d{3,}$/.test(text) || isPairOfDegrees(text),
    proof: 'name',
    numbers: true,
  },
  'coordinate-pair': {
    title: 'pairs of coordinates',
    advice: 'remove it, or keep a region large enough for many people',
    looksLike: isPairOfDegrees,
  },
  address: {
    title: 'street addresses',
    advice: 'remove it, or keep a region large enough for many people',
    named: anyOf('address*, adress*, street*, strasse, anschrift, adresse, direccion, indirizzo, adres'),
    looksLike: (text) => /\d/.test(text) && STREET.test(text),
    proof: 'distinct',
    byNameAlone: true,
  },
  postcode: {
    title: 'postcodes',
    advice: 'keep the first digits, so that many people share each',
    named: anyOf(`zip*, post ?codes?, postal*, plz, postleitzahl, cap, code postal, codigo postal, postnummer, postnr,
      kod pocztowy, pincode, eircode`),
    looksLike: pattern(
      /^(?:[A-Z]{1,2}-)?(?:\d{3,6}|\d{5}-\d{3,4}|\d{2}-\d{3}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{3} \d{2})$/i,
    ),
    proof: 'name',
    numbers: true,
  },
  'postcode-form': {
    title: 'postcodes',
    advice: 'keep the first digits, so that many people share each',
    looksLike: pattern(/^(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d|[1-9]\d{3} [A-Z]{2})$/),
  },
  plate: {
    title: 'licence plates',
    named: anyOf(
      `licen[cs]e plates?, plates?, number ?plates?, kennzeichen, kfz*, registration plates?, matricula, targa`,
    ),
    proof: 'name',
    byNameAlone: true,
  },
  document: {
    title: 'numbers of passports, licences or other documents',
    named:
      anyOf(`passport*, reisepass*, pasaporte, passeport, driv[a-z]* licen[cs]e*, licen[cs]e n*, fuhrerschein*, id card*,
      ausweis*, certificate n*`),
    proof: 'name',
    numbers: true,
    byNameAlone: true,
  },
  'medical-number': {
    title: 'numbers of patients or of insurance',
    named: anyOf(`mrn, medical record*, patient (?:id|n[or]|num*), health plan*, insurance (?:id|n[or]|num*),
      policy (?:id|n[or]|num*), versicherung*nummer, versichertennummer, beneficiary*, medicare*, medicaid*`),
    proof: 'name',
    numbers: true,
    byNameAlone: true,
  },
  account: {
    title: 'numbers of accounts or customers',
    named:
      anyOf(`account, account (?:id|n[or]|num*), acct*, kontonummer, konto*, customer (?:id|n[or]|num*), kundennummer,
      client (?:id|n[or]|num*), member (?:id|n[or]|num*), employee (?:id|n[or]|num*), student (?:id|n[or]|num*),
      matrikel*, personalnummer, staff (?:id|n[or]|num*)`),
    proof: 'name',
    numbers: true,
    byNameAlone: true,
  },
  'user-name': {
    title: 'names of users',
    named: anyOf('user, user ?names?, login, handle, nick ?name, screen ?name, twitter, instagram, facebook, skype'),
    looksLike: pattern(/^@[\w.]{2,}$/),
    byNameAlone: true,
  },
  file: {
    title: 'names of pictures, scans or recordings',
    advice: 'remove it: faces and voices identify',
    looksLike: pattern(FILE),
  },
  name: {
    title: 'names of people',
    named:
      anyOf(`names?, full ?name, first ?names?, last ?names?, middle ?name, maiden ?name, given ?names?, family ?name,
      surnames?, forenames?, fname, lname, vorname, nachname, familienname, zuname, nom, prenom, nombre, apellidos?,
      cognome, nome, imie, nazwisko, initials`),
    looksLike: isPersonsName,
    byNameAlone: true,
  },
  date: {
    title: 'exact dates',
    advice: 'keep the year, or the age in years',
    looksLike: (text) => NUMERIC_DATE.test(text.trim()),
  },
  'free-text': {
    title: 'free text',
    advice: 'remove it: people name themselves and others in it',
    looksLike: (text) => text.trim().split(/\s+/).length >= WORDS_OF_A_SENTENCE,
    proof: 'distinct',
  },
}).map(([id, kind]) => ({ id, ...kind }))

const WORDS_OF_A_SENTENCE = 6
const [FEWEST_DIGITS, MOST_DIGITS] = [7, 15]

/** Written as telephone numbers are: digits alone could be any number. */
function isPhone(text: string): boolean {
  const trimmed = text.trim()
  const isGrouped = /^(?:[+0(]|\d+[\s()./-]+\d+[\s()./-]+\d)/.test(trimmed)
  if (!PHONE.test(trimmed) || !isGrouped || NUMERIC_DATE.test(trimmed) || /^\d+\.\d+$/.test(trimmed)) return false
  const digits = trimmed.replace(/\D/g, '').length
  return digits >= FEWEST_DIGITS && digits <= MOST_DIGITS
}

function isPairOfDegrees(text: string): boolean {
  const parts = /^[([]?(-?\d{1,3}\.\d{2,})[,; ]+(-?\d{1,3}\.\d{2,})[)\]]?$/.exec(text.trim())
  return parts !== null && Math.abs(Number(parts[1])) <= 180 && Math.abs(Number(parts[2])) <= 180
}

/** Written as names are, with a frequent given name among the words. */
function isPersonsName(text: string): boolean {
  const trimmed = text.trim()
  return PERSON.test(trimmed) && trimmed.split(/[ ,.-]+/).some((word) => GIVEN_NAMES.has(word.toLowerCase()))
}
