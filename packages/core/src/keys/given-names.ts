/**
 * Frequent given names of Europe, the Americas, and South and East Asia, for telling a column of people from one of places or
 * products. A list can never be complete: a column counts as names when a fair part of its values has one of these.
 */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `aaron adam agnieszka ahmed aisha alan albert alejandro aleksander alex alexander alexandra ali alice amanda amelia amy ana andre andrea andreas andrew
  andrzej angela ann anna anne anthony antonio arthur barbara ben benjamin bernd birgit brian bruno camille carla carlos carmen carol caroline catherine
  charles charlotte chloe chris christian christina christine christopher claire claudia cynthia daniel daniela david deborah dennis diana diego dmitri
  donald donna dorothy edward elena elif elisabeth elizabeth emil emily emma eric erik eva fatima felix fernando francesca francesco francisco frank
  franz gabriel george gerhard giovanni giulia grace gregory hannah hans heather heinz helen helena henry ines ingrid isabel isabella ivan jack jacob
  jakob james jan jane janet jason javier jean jeffrey jennifer jens jeremy jessica jin joan joanna john jonas jonathan jorge jose joseph joshua juan
  judith julia julie justin karen karin karl kate katarzyna katharina kathleen kenneth kevin klaus krzysztof larry lars laura lea lena leon leonie lina
  linda lisa louis louise luca lucas lucia luis lukas maciej magdalena malgorzata manuel marcin marco margaret maria marie mario mark marta martha martin
  mary mateusz matteo matthew max maximilian mehmet mei melissa mia michael michal michel michelle miguel mohamed mohammed monika muhammad mustafa nancy
  natalia nicholas nicolas nicole nina noah nora olga oliver olivia omar oscar pablo pamela patricia patrick paul paula pawel pedro peter petra philip
  philipp pierre piotr priya rachel rahul ralph raymond rebecca richard robert roberto ronald rosa rose ruth ryan sabine samantha samuel sandra sara
  sarah scott sebastian sergei sharon silvia simon sofia sonja sophia sophie stefan stefanie stephanie stephen steven susan susanne sven tanja teresa
  thomas tim timothy tobias tom tomas tomasz ursula valentina vera veronika victor victoria vincent walter wei werner william wojciech wolfgang xavier
  yan yasmin yuki yusuf zofia`.split(/\s+/),
)
