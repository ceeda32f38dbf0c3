import { jensenShannon } from '../../stats/information/information.js'
import { categoryDistance } from './category-distance.js'

/**
 * Jensen and Shannon's divergence of the shares of each category, in bits: what one record tells about the file that it
 * comes from, 0 for equal shares and 1 where no category is in both. The headline is the mean over columns. Of an honest
 * sample of m records, E = (K - 1) / (8 m ln 2).
 */
export const jsd = categoryDistance({
  id: 'jsd',
  title: 'Jensen-Shannon divergence of each category',
  said: 'Jensen-Shannon divergence',
  summary: 'how many bits a category tells about which file a record comes from',
  axis: 'bits',
  distance: (p, q) => Math.max(0, jensenShannon(p, q)) / Math.LN2,
  expected: (shares, m) => (shares.filter((share) => share > 0).length - 1) / (8 * m * Math.LN2),
})
