/** The works that measures go back to, once: for help, JSON, pages, and as BibTeX. */
export interface Work {
  readonly key: string
  readonly authors: readonly string[]
  readonly year: number
  readonly title: string
  readonly where: string
  readonly doi: string | null
}

const work = <const Key extends string>(
  key: Key,
  authors: string,
  year: number,
  title: string,
  where: string,
  doi: string | null,
): Work & { readonly key: Key } => ({ key, authors: authors.split('; '), year, title, where, doi })

export const BIBLIOGRAPHY = [
  work(
    'alaa2022',
    'Alaa, A. M.; van Breugel, B.; Saveliev, E.; van der Schaar, M.',
    2022,
    'How faithful is your synthetic data? Sample-level metrics for evaluating and auditing generative models',
    'International Conference on Machine Learning',
    '10.48550/arXiv.2102.08921',
  ),
  work(
    'article29',
    'Article 29 Data Protection Working Party',
    2014,
    'Opinion 05/2014 on anonymisation techniques',
    'WP216',
    null,
  ),
  work(
    'bethlehem1990',
    'Bethlehem, J. G.; Keller, W. J.; Pannekoek, J.',
    1990,
    'Disclosure control of microdata',
    'Journal of the American Statistical Association 85',
    '10.1080/01621459.1990.10475304',
  ),
  work(
    'bowen2021',
    'Bowen, C. M.; Liu, F.; Su, B.',
    2021,
    'Differentially private data release via statistical election to partition sequentially',
    'METRON 79',
    null,
  ),
  work(
    'domingo2001',
    'Domingo-Ferrer, J.; Torra, V.',
    2001,
    'A quantitative comparison of disclosure control methods for microdata',
    'Confidentiality, Disclosure and Data Access',
    null,
  ),
  work(
    'elliot2002',
    'Elliot, M. J.; Manning, A. M.; Ford, R. W.',
    2002,
    'A computational algorithm for handling the special uniques problem',
    'International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10',
    null,
  ),
  work(
    'esteban2017',
    'Esteban, C.; Hyland, S. L.; Rätsch, G.',
    2017,
    'Real-valued (medical) time series generation with recurrent conditional GANs',
    'arXiv',
    '10.48550/arXiv.1706.02633',
  ),
  work(
    'fellegi1969',
    'Fellegi, I. P.; Sunter, A. B.',
    1969,
    'A theory for record linkage',
    'Journal of the American Statistical Association 64',
    '10.1080/01621459.1969.10501049',
  ),
  work(
    'franconi2004',
    'Franconi, L.; Polettini, S.',
    2004,
    'Individual risk estimation in mu-Argus: a review',
    'Privacy in Statistical Databases',
    null,
  ),
  work(
    'giomi2023',
    'Giomi, M.; Boenisch, F.; Wehmeyer, C.; Tasnádi, B.',
    2023,
    'A unified framework for quantifying privacy risk in synthetic data',
    'Proceedings on Privacy Enhancing Technologies 2023',
    '10.56553/popets-2023-0055',
  ),
  work(
    'gretton2012',
    'Gretton, A.; Borgwardt, K. M.; Rasch, M. J.; Schölkopf, B.; Smola, A.',
    2012,
    'A kernel two-sample test',
    'Journal of Machine Learning Research 13',
    null,
  ),
  work(
    'herranz2016',
    'Herranz, J.; Nin, J.; Rodríguez, P.; Tassa, T.',
    2016,
    'Revisiting distance-based record linkage for privacy-preserving release of statistical datasets',
    'Data and Knowledge Engineering 100',
    '10.1016/j.datak.2015.07.009',
  ),
  work(
    'karr2006',
    'Karr, A. F.; Kohnen, C. N.; Oganian, A.; Reiter, J. P.; Sanil, A. P.',
    2006,
    'A framework for evaluating the utility of data altered to protect confidentiality',
    'The American Statistician 60',
    '10.1198/000313006X124640',
  ),
  work('latner2025', 'Latner, J.; Neunhoeffer, M.; Drechsler, J.', 2025, 'Buyer beware', 'working paper', null),
  work(
    'li2007',
    'Li, N.; Li, T.; Venkatasubramanian, S.',
    2007,
    't-closeness: privacy beyond k-anonymity and l-diversity',
    'IEEE International Conference on Data Engineering',
    '10.1109/ICDE.2007.367856',
  ),
  work(
    'lopezpaz2017',
    'Lopez-Paz, D.; Oquab, M.',
    2017,
    'Revisiting classifier two-sample tests',
    'International Conference on Learning Representations',
    '10.48550/arXiv.1610.06545',
  ),
  work(
    'machanavajjhala2007',
    'Machanavajjhala, A.; Kifer, D.; Gehrke, J.; Venkitasubramaniam, M.',
    2007,
    'l-diversity: privacy beyond k-anonymity',
    'ACM Transactions on Knowledge Discovery from Data 1',
    '10.1145/1217299.1217302',
  ),
  work(
    'nergiz2007',
    'Nergiz, M. E.; Atzori, M.; Clifton, C.',
    2007,
    'Hiding the presence of individuals from shared databases',
    'ACM SIGMOD International Conference on Management of Data',
    '10.1145/1247480.1247554',
  ),
  work(
    'platzer2021',
    'Platzer, M.; Reutterer, T.',
    2021,
    'Holdout-based empirical assessment of mixed-type synthetic data',
    'Frontiers in Big Data 4',
    '10.3389/fdata.2021.679939',
  ),
  work(
    'raab2021',
    'Raab, G. M.; Nowok, B.; Dibben, C.',
    2021,
    'Assessing, visualizing and improving the utility of synthetic data',
    'arXiv',
    '10.48550/arXiv.2109.12717',
  ),
  work(
    'raab2024',
    'Raab, G. M.; Nowok, B.; Dibben, C.',
    2024,
    'Practical privacy metrics for synthetic data',
    'arXiv',
    '10.48550/arXiv.2406.16826',
  ),
  work(
    'reiter2009',
    'Reiter, J. P.; Mitra, R.',
    2009,
    'Estimating risks of identification disclosure in partially synthetic data',
    'Journal of Privacy and Confidentiality 1',
    '10.29012/jpc.v1i1.567',
  ),
  work(
    'snoke2018',
    'Snoke, J.; Raab, G. M.; Nowok, B.; Dibben, C.; Slavkovic, A.',
    2018,
    'General and specific utility measures for synthetic data',
    'Journal of the Royal Statistical Society A 181',
    '10.1111/rssa.12358',
  ),
  work(
    'sweeney2002',
    'Sweeney, L.',
    2002,
    'k-anonymity: a model for protecting privacy',
    'International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10',
    '10.1142/S0218488502001648',
  ),
  work(
    'szekely2013',
    'Székely, G. J.; Rizzo, M. L.',
    2013,
    'Energy statistics: a class of statistics based on distances',
    'Journal of Statistical Planning and Inference 143',
    '10.1016/j.jspi.2013.03.018',
  ),
  work(
    'taub2018',
    'Taub, J.; Elliot, M.; Pampaka, M.; Smith, D.',
    2018,
    'Differential correct attribution probability for synthetic data: an exploration',
    'Privacy in Statistical Databases',
    '10.1007/978-3-319-99771-1_9',
  ),
  work(
    'templ2008',
    'Templ, M.; Meindl, B.',
    2008,
    'Robust statistics meets SDC: new disclosure risk measures for continuous microdata masking',
    'Privacy in Statistical Databases',
    null,
  ),
  work(
    'templ2015',
    'Templ, M.; Kowarik, A.; Meindl, B.',
    2015,
    'Statistical disclosure control for micro-data using the R package sdcMicro',
    'Journal of Statistical Software 67',
    '10.18637/jss.v067.i04',
  ),
  work(
    'templ2026',
    'Templ, M.; Thees, O.; Müller, R.',
    2026,
    'RAPID: risk of attribute prediction-induced disclosure in synthetic microdata',
    'arXiv',
    '10.48550/arXiv.2602.09235',
  ),
  work(
    'vanbreugel2023',
    'van Breugel, B.; Sun, H.; Qian, Z.; van der Schaar, M.',
    2023,
    'Membership inference attacks against synthetic data through overfitting detection',
    'International Conference on Artificial Intelligence and Statistics',
    '10.48550/arXiv.2302.12580',
  ),
  work(
    'woo2009',
    'Woo, M.-J.; Reiter, J. P.; Oganian, A.; Karr, A. F.',
    2009,
    'Global measures of data utility for microdata masked for disclosure limitation',
    'Journal of Privacy and Confidentiality 1',
    '10.29012/jpc.v1i1.568',
  ),
  work(
    'yale2020',
    'Yale, A.; Dash, S.; Dutta, R.; Guyon, I.; Pavao, A.; Bennett, K. P.',
    2020,
    'Generation and evaluation of privacy preserving synthetic health data',
    'Neurocomputing 416',
    '10.1016/j.neucom.2019.12.136',
  ),
  work(
    'yoon2020',
    'Yoon, J.; Drumright, L. N.; van der Schaar, M.',
    2020,
    'Anonymization through data synthesis using generative adversarial networks (ADS-GAN)',
    'IEEE Journal of Biomedical and Health Informatics 24',
    '10.1109/JBHI.2020.2980262',
  ),
]

/** What a measure cites a work by. */
export type WorkKey = (typeof BIBLIOGRAPHY)[number]['key']

export interface Citation extends Work {
  /** As one line. */
  readonly text: string
}

/** The works that a measure goes back to; one that cites none is scrim's own. */
export function citationsOf({ citations = [] }: { readonly citations?: readonly WorkKey[] }): readonly Citation[] {
  return citations.flatMap((key) =>
    BIBLIOGRAPHY.filter((cited) => cited.key === key).map((cited) => ({ ...cited, text: citationText(cited) })),
  )
}

function citationText({ authors, year, title, where, doi }: Work): string {
  return `${authors.join(', ')} (${year}). ${title}. ${where}.${doi === null ? '' : ` doi:${doi}`}`
}

export function bibtex(works: readonly Work[] = BIBLIOGRAPHY): string {
  return works
    .map(({ key, authors, year, title, where, doi }) =>
      [
        `@misc{${key},`,
        `  author = {${authors.map((one) => (one.includes(',') ? one : `{${one}}`)).join(' and ')}},`,
        `  title = {${title}},`,
        `  year = {${year}},`,
        `  howpublished = {${where}},`,
        ...(doi === null ? [] : [`  doi = {${doi}},`]),
        '}\n',
      ].join('\n'),
    )
    .join('\n')
}
