import { anyOf, each } from './column-words.js'

/**
 * What columns are usually about, by their names, in English, German, French, Spanish, Italian and Polish. A name is a hint and
 * no proof: every role that comes from here is a guess, with the word that it rests on.
 */
export interface Topic {
  readonly about: string
  /** The most telling first. */
  readonly named: readonly RegExp[]
}

function topics(phrasesByTopic: Readonly<Record<string, string>>): readonly Topic[] {
  return Object.entries(phrasesByTopic).map(([about, phrases]) => ({ about, named: each(phrases) }))
}

/**
 * What others know or see about a person: neighbours, colleagues, registers, profiles. The scenarios behind it are those of
 * sdcMicro's guidelines and of Elliot et al. (2016, The Anonymisation Decision-Making Framework, key variables); the order is
 * that in which most scenarios name them.
 */
export const KNOWN_TO_OTHERS: readonly Topic[] = topics({
  sex: `sex, gender, geschlecht, sexe, sexo, sesso, genre, genero, plec, female, male, is female, is male, rb 090`,
  age: `age, ages, agegr*, age group, agecat*, alter, altersgruppe, edad, eta, wiek, birth ?year, year of birth, yob,
    geburtsjahr, rok urodzenia, annee naissance, rage, agep`,
  'where somebody lives': `region, regions, county, state, province, district, municipal*, city, town, village, placesize, place, urb*,
    rural*, urbrur, nuts*, bundesland, land, gemeinde, bezirk, kreis, commune, departement, provincia, comune,
    ciudad, wojewodztwo, gmina, powiat, canton, puma, fips, zone, community size, settlement*, location, residence,
    neighbou?rhood, db 040`,
  'marital status': `marital*, civil status, familienstand, etat civil, estado civil, stato civile, stan cywilny, married, civstat,
    mar, marstat, relationship, relation, relate`,
  education: `edu, educ*, education*, school*, degree, qualification*, bildung*, schulbildung, diplome, educacion, istruzione,
    wyksztalcenie, eduspec, isced*, edattain, rank`,
  occupation: `occ, occup*, job, jobs, profession*, beruf*, socprof, isco*, soc, industry, nace*, branche, sector,
    type employer, workclass, class of worker, employment*, employer*, empstat, pl 030, labou?r status, metier,
    profesion, professione, zawod, discipline, department, job ?title, working status`,
  origin: `race, races, ethnic*, nationality, citizen*, pb 220a, country, native country, country of birth, birth ?place,
    place of birth, birth country, staatsangehorigkeit, nationalite, nacionalidad, nazionalita, cittadinanza,
    herkunft, origin, migra*, hispan*, immigr*, bpl, geburtsland, obywatelstwo, skin ?colou?r`,
  household: `hhsize, hsize, household size, hh ?size, family size, famsize, persons in household, children, kids, parity,
    births, nchild*, number of children, num children, n children, kinder, haushaltsgrosse, enfants, hijos, figli,
    family type, household type, hhtype`,
  'language or religion': 'language, mother tongue, sprache, langue, idioma, lingua, jezyk, church*',
  looks: 'height, body height, stature, eye ?colou?r, hair ?colou?r, grosse, disab*, handicap',
  'home or car': 'tenure, owns? home, housing*, dwelling*, car, cars, vehicles?, roof, walls?, water, electcon',
})

/** What a study wants to know of everybody: it has as many as it looks at. */
export const OUTCOME = 'an outcome'

/**
 * What people would not have told: the special categories of Article 9 of the GDPR, then money, justice and opinions. In
 * the order in which they are suggested.
 */
export const SENSITIVE: readonly Topic[] = topics({
  health: `health*, disease*, diagnos*, icd*, depress*, illness*, sick*, hiv*, aids, cancer, diabet*, mental*, psych*,
    medic*, drug*, therap*, treatment*, symptom*, disability*, pregnan*, abort*, suicid*, gesundheit*, krank*,
    diagnose*, sante, salud, salute, zdrowie, choroba, bmi, blood*, cholesterol, glucose, smok*, tobacco, alc[^ ]*,
    stroke, tumou?r, death, died, mortality`,
  'sexual life': 'sexual*, orientation, lgbt*, partners',
  belief: 'religio*, faith, belief*, konfession*, denomination, wyznanie',
  'politics or unions':
    'politic*, party, vote, voted, voting, statusquo, union, trade union, partei, ideology, left right',
  'genes or body': 'gene, genes, genetic*, genotype, dna, snp, biometric*, fingerprint*',
  money: `income*, *income, inc, wage*, salary, salaries, earning*, pay, einkommen*, lohn*, gehalt, revenu*, salaire,
    ingreso*, sueldo, reddito, stipendio, dochod*, zarobki, wealth, asset*, debt*, credit*, savings?, expend*,
    capital gain, capital loss, benefit*, pension*, tax*, loan*, poverty, turnover`,
  justice: `crime*, criminal*, convict*, offen[cs]e*, arrest*, prison*, fraud, victim*, violence, abuse*, recidi*, is recid`,
  'opinion or well-being': `satisf*, happiness, happy, life satisfaction, ls, trust, opinion*, attitude*, wellbeing, loneliness, grade,
    grades, score, test score`,
  [OUTCOME]: `outcome*, status, vital status, event, response, bwt, birth ?weight, low, surviv*, relapse*, recur*, readmi*`,
})

export const SAMPLING_WEIGHT =
  anyOf(`weight, weights, wt, wgt, fnlwgt, fnl wgt, final weight, sampling weight, sample weight, sampling ?weight,
  survey weight, design weight, dsgnwt, dweight, pweight, pspwght, perwt, hhwt, hweight, gewicht, hochrechnung*,
  poids, ponderation, peso, waga, rb 050, db 090, wtper, pwgtp, ghweight, sampl weight, gew`)
export const HOUSEHOLD =
  anyOf(`hhid, hid, hh id, household, household id, household n[or], household number, family id, famid, haushalt,
  haushaltsnummer, menage, hogar, famiglia, ori hid, db 030, rb 040, idhh, id hh, hh`)

export interface Topical {
  readonly about: string
  /** Place of the topic, and of the word within it. */
  readonly rank: number
  readonly place: number
}

export function topicOf(words: string, topics: readonly Topic[]): Topical | undefined {
  for (const [rank, { about, named }] of topics.entries()) {
    const place = named.findIndex((pattern) => pattern.test(words))
    if (place >= 0) return { about, rank, place }
  }
  return undefined
}
