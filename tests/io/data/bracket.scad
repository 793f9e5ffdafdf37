// What linear_extrude, rotate_extrude and hull make of plane parts; see open_scad_shapes_test.cpp.
$fn = 64;
difference() {
  union() {
    linear_extrude(height = 4) difference() {
      polygon([[0,0],[40,0],[40,10],[14,10],[10,14],[10,40],[0,40]]);
      translate([34,5]) circle(2.5);
      hull() { translate([5,22]) circle(1.5); translate([5,34]) circle(1.5); }
    }
    translate([5,5,3]) rotate_extrude() polygon([[0,0],[4.5,0],[4.5,6],[3.5,8],[0,8]]);
    translate([28,5,3]) linear_extrude(height = 5, scale = 0.5) square([8,6], center = true);
  }
  translate([5,5,-1]) cylinder(h = 20, r = 2);
}
translate([-12,10,0]) rotate([0,0,20]) hull() {
  cylinder(h = 3, r = 4); translate([0,14,0]) cylinder(h = 3, r = 2);
}
